// A trace to bytes and back.
#pragma once

#include "base/pack.hpp"
#include "evident/path/trace.hpp"

namespace evident {

void put_trace(Packer& out, const Trace& trace);
/// Throws RunError when the bytes are no trace.
Trace get_trace(Unpacker& in);

}  // namespace evident
