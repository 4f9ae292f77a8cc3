// What the module evident_mpi.so gives the program: the few calls of MPI that a team needs, as plain C functions, so
// that program and module need nothing of each other but this table. All of them return 0, or MPI's error code.
#pragma once

namespace evident::cluster {

/// Room for a request of any MPI: an int in MPICH, a pointer in Open MPI.
struct MpiRequest {
  void* storage[2] = {nullptr, nullptr};
};

struct MpiApi {
  static constexpr int kVersion = 1;
  int version;
  const char* (*library)();  ///< "Open MPI v4.1.4", for messages
  int (*open)(int* rank, int* size);
  int (*close)();
  void (*abort)(int status);
  void (*text_of_error)(int code, char* out, int size);

  // Collective operations begin at once and are done when test() says so; buffers stay where they are until then.
  int (*all_gather)(double* all, const int* counts, const int* first, MpiRequest* request);
  int (*broadcast)(void* bytes, int count, MpiRequest* request);  ///< from rank 0
  int (*exchange)(const double* send, const int* send_counts, const int* send_first, double* receive,
                  const int* receive_counts, const int* receive_first, MpiRequest* request);
  int (*test)(MpiRequest* request, int* done);

  // Messages on two channels that do not see each other: 0 for work, 1 for what concerns the team itself.
  int (*barrier)(int channel, MpiRequest* request);
  int (*send)(int channel, const void* bytes, int count, int to, MpiRequest* request);
  int (*probe)(int channel, int* found, int* from, int* count);  ///< remembers the message that it found
  int (*receive_probed)(int channel, void* bytes, int count, MpiRequest* request);  ///< that one
};

/// The name of the function in the module, and its type.
inline constexpr const char* kMpiEntry = "evident_mpi_api";
using MpiEntry = const MpiApi* (*)();

}  // namespace evident::cluster
