/* The C API from C: two ranks, a thread each, sum their vectors. Proves that wccl.h is C, and that
 * a C program links. */
#include <pthread.h>
#include <stdio.h>

#include "wccl/wccl.h"

enum { kRanks = 2, kValues = 4 };

static void* run_rank(void* argument) {
  wcclComm_t comm = argument;
  float values[kValues] = {1.0F, 2.0F, 3.0F, 4.0F};
  float sums[kValues] = {0};
  void* failed = argument; /* any address but NULL */
  if (wcclAllReduce(values, sums, kValues, wcclFloat32, wcclSum, comm) != wcclSuccess) {
    fprintf(stderr, "wcclAllReduce: %s\n", wcclGetLastError(comm));
    return failed;
  }
  for (int i = 0; i < kValues; ++i) {
    if (sums[i] != (float)kRanks * values[i]) return failed;
  }
  return NULL;
}

int main(void) {
  wcclComm_t comms[kRanks];
  pthread_t threads[kRanks];
  int n_failed = 0;
  if (wcclCommInitLoopback(comms, kRanks) != wcclSuccess) {
    fprintf(stderr, "wcclCommInitLoopback: %s\n", wcclGetLastError(NULL));
    return 1;
  }
  for (int rank = 0; rank < kRanks; ++rank) {
    if (pthread_create(&threads[rank], NULL, run_rank, comms[rank]) != 0) return 1;
  }
  for (int rank = 0; rank < kRanks; ++rank) {
    void* failed = NULL;
    pthread_join(threads[rank], &failed);
    if (failed != NULL) ++n_failed;
    if (wcclCommDestroy(comms[rank]) != wcclSuccess) ++n_failed;
  }
  return n_failed;
}
