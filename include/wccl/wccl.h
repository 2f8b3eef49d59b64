/* WCCL's C API, in NCCL's words. Plain C, no exceptions.
 *
 * Every rank calls the same collectives in the same order, with the same counts and types; results
 * are bitwise equal on all ranks. Calls block until the result is there: a screen has no stream to
 * queue on. A communicator belongs to one thread at a time; the ranks of one process each need
 * their own. docs/collectives.md defines each operation. */
#ifndef WCCL_WCCL_H_
#define WCCL_WCCL_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wcclComm* wcclComm_t;

typedef enum {
  wcclSuccess = 0,
  wcclInvalidArgument = 1, /* an argument cannot work, or a peer called another operation or size */
  wcclSystemError = 2,     /* reading, writing or memory failed */
  wcclInternalError = 3,   /* a fault of WCCL itself */
  wcclRemoteError = 4,     /* a peer is lost; wcclGetLastError names it */
  wcclTimeout = 5,         /* nothing came from a peer in time; wcclGetLastError names it */
  wcclCancelled = 6,       /* the session is being torn down */
  wcclUnsupported = 7      /* this build or a peer cannot do it */
} wcclResult_t;

typedef enum {
  wcclUint8 = 0,
  wcclInt32 = 1,
  wcclInt64 = 2,
  wcclFloat16 = 3,
  wcclBfloat16 = 4,
  wcclFloat32 = 5
} wcclDataType_t;

typedef enum { wcclSum = 0, wcclAvg = 1, wcclMin = 2, wcclMax = 3 } wcclRedOp_t;

/* What a result means in general; a string that lives for ever. */
const char* wcclGetErrorString(wcclResult_t result);
/* One line about the latest failure of `comm`, or with NULL of the latest call of this thread
 * without a communicator; "" when there was none. Valid until the next failure there. */
const char* wcclGetLastError(wcclComm_t comm);

/* Makes the communicators of `n` ranks of this process that talk through memory, to try programs
 * without light. comms: [n], filled in rank order; each is then used by a thread of its own. */
wcclResult_t wcclCommInitLoopback(wcclComm_t* comms, int n);
/* Waits until the peers have all that this rank sent, then frees. NULL is fine. */
wcclResult_t wcclCommDestroy(wcclComm_t comm);
wcclResult_t wcclCommCount(wcclComm_t comm, int* count);
wcclResult_t wcclCommUserRank(wcclComm_t comm, int* rank);

/* Counts are in elements. sendbuff and recvbuff may be the same (wcclAllGather: sendbuff may lie at
 * its place in recvbuff); they must not overlap in any other way. */
wcclResult_t wcclAllReduce(const void* sendbuff,
                           void* recvbuff,
                           size_t count,
                           wcclDataType_t datatype,
                           wcclRedOp_t op,
                           wcclComm_t comm);
/* recvbuff: written on the root only; elsewhere it may be NULL. */
wcclResult_t wcclReduce(const void* sendbuff,
                        void* recvbuff,
                        size_t count,
                        wcclDataType_t datatype,
                        wcclRedOp_t op,
                        int root,
                        wcclComm_t comm);
/* sendbuff: read on the root only; elsewhere it may be NULL. */
wcclResult_t wcclBroadcast(const void* sendbuff,
                           void* recvbuff,
                           size_t count,
                           wcclDataType_t datatype,
                           int root,
                           wcclComm_t comm);
/* recvbuff: [number of ranks * sendcount]. */
wcclResult_t wcclAllGather(const void* sendbuff,
                           void* recvbuff,
                           size_t sendcount,
                           wcclDataType_t datatype,
                           wcclComm_t comm);
/* Point to point, matched in order between the two ranks. wcclSend returns before the peer has it.
 */
wcclResult_t wcclSend(
    const void* sendbuff, size_t count, wcclDataType_t datatype, int peer, wcclComm_t comm);
wcclResult_t wcclRecv(
    void* recvbuff, size_t count, wcclDataType_t datatype, int peer, wcclComm_t comm);
/* Returns when all ranks have called it. */
wcclResult_t wcclBarrier(wcclComm_t comm);

#ifdef __cplusplus
}
#endif

#endif /* WCCL_WCCL_H_ */
