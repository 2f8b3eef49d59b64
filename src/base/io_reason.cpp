#include "base/io_reason.h"

#include <cerrno>
#include <cstring>

namespace wccl {

std::string io_reason(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return "the disk is full; make room and start again";
    case EFBIG:
      return "it is larger than `ulimit -f` or the disk allows; raise the limit or choose another "
             "folder";
    default:
      return std::strerror(error_number);
  }
}

}  // namespace wccl
