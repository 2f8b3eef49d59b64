#include "collective/c_api.h"

#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <optional>

#include <fmt/format.h>

#include "collective/loopback_transport.h"

namespace {

using wccl::DataType;
using wccl::Error;
using wccl::ErrorCode;
using wccl::ReduceOp;
using wccl::Status;

/// Of calls that have no communicator to keep it.
thread_local std::string last_error_of_thread;

wcclResult_t to_result(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kNotFound:
      return wcclInvalidArgument;
    case ErrorCode::kIo:
      return wcclSystemError;
    case ErrorCode::kCorrupt:
    case ErrorCode::kPeerLost:
      return wcclRemoteError;
    case ErrorCode::kTimeout:
      return wcclTimeout;
    case ErrorCode::kCancelled:
      return wcclCancelled;
    case ErrorCode::kUnsupported:
      return wcclUnsupported;
  }
  return wcclInternalError;
}

std::optional<DataType> to_data_type(wcclDataType_t type) {
  switch (type) {
    case wcclUint8:
      return DataType::kUint8;
    case wcclInt32:
      return DataType::kInt32;
    case wcclInt64:
      return DataType::kInt64;
    case wcclFloat16:
      return DataType::kFloat16;
    case wcclBfloat16:
      return DataType::kBfloat16;
    case wcclFloat32:
      return DataType::kFloat32;
  }
  return std::nullopt;
}

std::optional<ReduceOp> to_reduce_op(wcclRedOp_t op) {
  switch (op) {
    case wcclSum:
      return ReduceOp::kSum;
    case wcclAvg:
      return ReduceOp::kMean;
    case wcclMin:
      return ReduceOp::kMin;
    case wcclMax:
      return ReduceOp::kMax;
  }
  return std::nullopt;
}

Status invalid(std::string message) {
  return wccl::fail(ErrorCode::kInvalidArgument, std::move(message));
}

wcclResult_t report(std::string& last_error, wcclResult_t result, const char* message) noexcept {
  try {
    last_error = message;
  } catch (const std::bad_alloc&) {
    last_error.clear();
  }
  return result;
}

/// Runs `action`, which returns a Status, and keeps what went wrong. Nothing that is thrown leaves.
template <class Action>
wcclResult_t guard(std::string& last_error, Action action) noexcept {
  try {
    const Status status = action();
    if (status) {
      return wcclSuccess;
    }
    return report(last_error, to_result(status.error().code), status.error().message.c_str());
  } catch (const std::bad_alloc&) {
    return report(last_error, wcclSystemError, "out of memory");
  } catch (const std::exception& exception) {
    return report(last_error, wcclInternalError, exception.what());
  } catch (...) {
    return report(last_error, wcclInternalError, "unknown exception");
  }
}

template <class Action>
wcclResult_t guard(wcclComm_t comm, Action action) noexcept {
  if (comm == nullptr) {
    return report(last_error_of_thread, wcclInvalidArgument, "the communicator is NULL");
  }
  return guard(comm->last_error, action);
}

/// Bytes of `count` elements, if buffer, type and size are possible.
wccl::Result<std::size_t> size_of_buffer(const void* buffer,
                                         std::size_t count,
                                         wcclDataType_t type,
                                         std::size_t n_copies = 1) {
  const auto data_type = to_data_type(type);
  const auto invalid_size = [](std::string message) {
    return wccl::fail(ErrorCode::kInvalidArgument, std::move(message));
  };
  if (!data_type) {
    return invalid_size(fmt::format("no data type {}", static_cast<int>(type)));
  }
  const std::size_t n_element_bytes = wccl::size_of(*data_type);
  if (count > std::numeric_limits<std::size_t>::max() / n_element_bytes / n_copies) {
    return invalid_size("the count is too large");
  }
  if (buffer == nullptr && count > 0) {
    return invalid_size("a buffer is NULL");
  }
  return count * n_element_bytes;
}

std::span<const std::byte> span_of(const void* buffer, std::size_t n_bytes) {
  return {static_cast<const std::byte*>(buffer), n_bytes};
}

std::span<std::byte> span_of(void* buffer, std::size_t n_bytes) {
  return {static_cast<std::byte*>(buffer), n_bytes};
}

/// The communicator works in place; NCCL's calls need not.
void copy_in(const void* from, void* to, std::size_t n_bytes) {
  if (from != to && n_bytes > 0) {
    std::memcpy(to, from, n_bytes);
  }
}

}  // namespace

const char* wcclGetErrorString(wcclResult_t result) {
  switch (result) {
    case wcclSuccess:
      return "no error";
    case wcclInvalidArgument:
      return "invalid argument, or the ranks do not call the same operations";
    case wcclSystemError:
      return "the operating system refused (memory, files or devices)";
    case wcclInternalError:
      return "internal error of WCCL";
    case wcclRemoteError:
      return "a peer is lost";
    case wcclTimeout:
      return "a peer did not answer in time";
    case wcclCancelled:
      return "the session was cancelled";
    case wcclUnsupported:
      return "not supported by this build or a peer";
  }
  return "unknown result code";
}

const char* wcclGetLastError(wcclComm_t comm) {
  return comm == nullptr ? last_error_of_thread.c_str() : comm->last_error.c_str();
}

wcclResult_t wcclCommInitLoopback(wcclComm_t* comms, int n) {
  return guard(last_error_of_thread, [&]() -> Status {
    if (comms == nullptr) {
      return invalid("comms is NULL");
    }
    if (n < 1) {
      return invalid(fmt::format("a world needs at least 1 rank, not {}", n));
    }
    const auto world = std::make_shared<wccl::LoopbackWorld>(n);
    std::vector<std::unique_ptr<wcclComm>> made;
    for (int rank = 0; rank < n; ++rank) {
      made.push_back(std::make_unique<wcclComm>(world, world->transport(rank)));
    }
    for (auto& comm : made) {
      *comms++ = comm.release();
    }
    return {};
  });
}

wcclResult_t wcclCommDestroy(wcclComm_t comm) {
  const std::unique_ptr<wcclComm> owned(comm);
  if (!owned) {
    return wcclSuccess;
  }
  // The last error would go with the communicator.
  return guard(last_error_of_thread, [&] { return owned->communicator.flush(); });
}

wcclResult_t wcclCommCount(wcclComm_t comm, int* count) {
  return guard(comm, [&]() -> Status {
    if (count == nullptr) {
      return invalid("count is NULL");
    }
    *count = comm->communicator.world_size();
    return {};
  });
}

wcclResult_t wcclCommUserRank(wcclComm_t comm, int* rank) {
  return guard(comm, [&]() -> Status {
    if (rank == nullptr) {
      return invalid("rank is NULL");
    }
    *rank = comm->communicator.rank();
    return {};
  });
}

wcclResult_t wcclAllReduce(const void* sendbuff,
                           void* recvbuff,
                           size_t count,
                           wcclDataType_t datatype,
                           wcclRedOp_t op,
                           wcclComm_t comm) {
  return guard(comm, [&]() -> Status {
    const auto n_bytes = size_of_buffer(sendbuff, count, datatype);
    if (!n_bytes) {
      return tl::make_unexpected(n_bytes.error());
    }
    if (recvbuff == nullptr && count > 0) {
      return invalid("recvbuff is NULL");
    }
    const auto reduce_op = to_reduce_op(op);
    if (!reduce_op) {
      return invalid(fmt::format("no reduction {}", static_cast<int>(op)));
    }
    copy_in(sendbuff, recvbuff, *n_bytes);
    return comm->communicator.all_reduce(span_of(recvbuff, *n_bytes), *to_data_type(datatype),
                                         *reduce_op);
  });
}

wcclResult_t wcclReduce(const void* sendbuff,
                        void* recvbuff,
                        size_t count,
                        wcclDataType_t datatype,
                        wcclRedOp_t op,
                        int root,
                        wcclComm_t comm) {
  return guard(comm, [&]() -> Status {
    const auto n_bytes = size_of_buffer(sendbuff, count, datatype);
    if (!n_bytes) {
      return tl::make_unexpected(n_bytes.error());
    }
    const bool is_root = comm->communicator.rank() == root;
    if (is_root && recvbuff == nullptr && count > 0) {
      return invalid("recvbuff is NULL");
    }
    const auto reduce_op = to_reduce_op(op);
    if (!reduce_op) {
      return invalid(fmt::format("no reduction {}", static_cast<int>(op)));
    }
    if (is_root) {
      copy_in(sendbuff, recvbuff, *n_bytes);
    }
    // Only the root's buffer is written: the others' may stay const.
    void* const buffer = is_root ? recvbuff : const_cast<void*>(sendbuff);
    return comm->communicator.reduce(span_of(buffer, *n_bytes), *to_data_type(datatype), *reduce_op,
                                     root);
  });
}

wcclResult_t wcclBroadcast(const void* sendbuff,
                           void* recvbuff,
                           size_t count,
                           wcclDataType_t datatype,
                           int root,
                           wcclComm_t comm) {
  return guard(comm, [&]() -> Status {
    const auto n_bytes = size_of_buffer(recvbuff, count, datatype);
    if (!n_bytes) {
      return tl::make_unexpected(n_bytes.error());
    }
    if (comm->communicator.rank() == root) {
      if (sendbuff == nullptr && count > 0) {
        return invalid("sendbuff is NULL");
      }
      copy_in(sendbuff, recvbuff, *n_bytes);
    }
    return comm->communicator.broadcast(span_of(recvbuff, *n_bytes), root);
  });
}

wcclResult_t wcclAllGather(const void* sendbuff,
                           void* recvbuff,
                           size_t sendcount,
                           wcclDataType_t datatype,
                           wcclComm_t comm) {
  return guard(comm, [&]() -> Status {
    const auto n_ranks = static_cast<std::size_t>(comm->communicator.world_size());
    const auto n_bytes = size_of_buffer(sendbuff, sendcount, datatype, n_ranks);
    if (!n_bytes) {
      return tl::make_unexpected(n_bytes.error());
    }
    if (recvbuff == nullptr && sendcount > 0) {
      return invalid("recvbuff is NULL");
    }
    return comm->communicator.all_gather(span_of(sendbuff, *n_bytes),
                                         span_of(recvbuff, *n_bytes * n_ranks));
  });
}

wcclResult_t wcclSend(
    const void* sendbuff, size_t count, wcclDataType_t datatype, int peer, wcclComm_t comm) {
  return guard(comm, [&]() -> Status {
    const auto n_bytes = size_of_buffer(sendbuff, count, datatype);
    if (!n_bytes) {
      return tl::make_unexpected(n_bytes.error());
    }
    return comm->communicator.send(span_of(sendbuff, *n_bytes), peer);
  });
}

wcclResult_t wcclRecv(
    void* recvbuff, size_t count, wcclDataType_t datatype, int peer, wcclComm_t comm) {
  return guard(comm, [&]() -> Status {
    const auto n_bytes = size_of_buffer(recvbuff, count, datatype);
    if (!n_bytes) {
      return tl::make_unexpected(n_bytes.error());
    }
    return comm->communicator.receive(span_of(recvbuff, *n_bytes), peer);
  });
}

wcclResult_t wcclBarrier(wcclComm_t comm) {
  return guard(comm, [&] { return comm->communicator.barrier(); });
}
