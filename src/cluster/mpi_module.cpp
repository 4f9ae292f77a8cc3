// The module evident_mpi.so: MPI's C interface (version 3), as a table of functions. Nothing else of evident is in it,
// and the program loads it only when it was started under mpirun or srun.
#include <mpi.h>

#include <cstring>

#include "cluster/mpi_api.hpp"

namespace {

using evident::cluster::MpiApi;
using evident::cluster::MpiRequest;

static_assert(sizeof(MPI_Request) <= sizeof(MpiRequest));

MPI_Comm comms[2] = {MPI_COMM_NULL, MPI_COMM_NULL};
MPI_Message found_message[2] = {MPI_MESSAGE_NULL, MPI_MESSAGE_NULL};
constexpr int kTag = 7;

int keep(MPI_Request request, MpiRequest* to, int code) {
  std::memcpy(static_cast<void*>(to->storage), static_cast<const void*>(&request), sizeof(MPI_Request));
  return code;
}

const char* library() {
  static char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  if (MPI_Get_library_version(text, &length) != MPI_SUCCESS) return "MPI";
  if (char* end = std::strpbrk(text, ",\n")) *end = '\0';
  return text;
}

int open(int* rank, int* size) {
  int provided = 0;
  int code = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  if (code != MPI_SUCCESS) return code;
  if (provided < MPI_THREAD_SERIALIZED) return MPI_ERR_OTHER;
  for (MPI_Comm& comm : comms) {
    code = MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (code == MPI_SUCCESS) code = MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (code != MPI_SUCCESS) return code;
  }
  MPI_Comm_rank(comms[0], rank);
  MPI_Comm_size(comms[0], size);
  return MPI_SUCCESS;
}

int close() { return MPI_Finalize(); }
void abort(int status) { MPI_Abort(MPI_COMM_WORLD, status); }

void text_of_error(int code, char* out, int size) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) text[0] = '\0';
  std::strncpy(out, text, static_cast<std::size_t>(size) - 1);
  out[size - 1] = '\0';
}

int all_gather(double* all, const int* counts, const int* first, MpiRequest* to) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DOUBLE, all, counts, first, MPI_DOUBLE, comms[0], &request);
  return keep(request, to, code);
}

int broadcast(void* bytes, int count, MpiRequest* to) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = MPI_Ibcast(bytes, count, MPI_BYTE, 0, comms[0], &request);
  return keep(request, to, code);
}

int exchange(const double* send, const int* send_counts, const int* send_first, double* receive,
             const int* receive_counts, const int* receive_first, MpiRequest* to) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = MPI_Ialltoallv(send, send_counts, send_first, MPI_DOUBLE, receive, receive_counts, receive_first,
                                  MPI_DOUBLE, comms[0], &request);
  return keep(request, to, code);
}

int test(MpiRequest* of, int* done) {
  MPI_Request request = MPI_REQUEST_NULL;
  std::memcpy(static_cast<void*>(&request), static_cast<const void*>(of->storage), sizeof(MPI_Request));
  const int code = MPI_Test(&request, done, MPI_STATUS_IGNORE);
  return keep(request, of, code);
}

int barrier(int channel, MpiRequest* to) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = MPI_Ibarrier(comms[channel], &request);
  return keep(request, to, code);
}

int send(int channel, const void* bytes, int count, int to_rank, MpiRequest* to) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = MPI_Isend(bytes, count, MPI_BYTE, to_rank, kTag, comms[channel], &request);
  return keep(request, to, code);
}

int probe(int channel, int* found, int* from, int* count) {
  MPI_Status status;
  const int code = MPI_Improbe(MPI_ANY_SOURCE, kTag, comms[channel], found, &found_message[channel], &status);
  if (code != MPI_SUCCESS || *found == 0) return code;
  *from = status.MPI_SOURCE;
  return MPI_Get_count(&status, MPI_BYTE, count);
}

int receive_probed(int channel, void* bytes, int count, MpiRequest* to) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = MPI_Imrecv(bytes, count, MPI_BYTE, &found_message[channel], &request);
  return keep(request, to, code);
}

constexpr MpiApi kApi = {MpiApi::kVersion, library,  open, close,   abort, text_of_error, all_gather,
                         broadcast,        exchange, test, barrier, send,  probe,         receive_probed};

}  // namespace

extern "C" __attribute__((visibility("default"))) const MpiApi* evident_mpi_api() { return &kApi; }
