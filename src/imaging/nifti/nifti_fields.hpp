// Where the fields of a NIfTI header are: one row a field, byte offsets of version 1 and version 2.
// https://nifti.nimh.nih.gov/pub/dist/src/niftilib/nifti1.h and https://nifti.nimh.nih.gov/pub/dist/doc/nifti2.h
#pragma once

#include <cstddef>

namespace evident::imaging {

struct Field {
  std::size_t in1, in2;
};

namespace field {
inline constexpr Field magic{344, 4};         // char[4], char[8]
inline constexpr Field datatype{70, 12};      // int16
inline constexpr Field bitpix{72, 14};        // int16
inline constexpr Field dim{40, 16};           // int16[8], int64[8]
inline constexpr Field pixdim{76, 104};       // real[8]; a real is a float in version 1, a double in 2
inline constexpr Field vox_offset{108, 168};  // float, int64
inline constexpr Field scl_slope{112, 176};   // real
inline constexpr Field scl_inter{116, 184};   // real
inline constexpr Field descrip{148, 240};     // char[80]
inline constexpr Field qform_code{252, 344};  // int16, int32
inline constexpr Field sform_code{254, 348};  // int16, int32
inline constexpr Field quatern{256, 352};     // real[3]
inline constexpr Field qoffset{268, 376};     // real[3]
inline constexpr Field srow{280, 400};        // real[3][4]
inline constexpr Field xyzt_units{123, 500};  // uint8, int32
inline constexpr Field regular{38, 0};        // char, version 1 only
}  // namespace field

inline constexpr std::size_t kDescriptionBytes = 80;

}  // namespace evident::imaging
