#include <cstdio>
#include <cstdlib>

#include "fuzz/target.h"

namespace wccl::fuzz {

void require(bool holds, std::source_location place) {
  if (holds) {
    return;
  }
  std::fprintf(stderr, "%s:%u: what must hold does not hold\n", place.file_name(),
               static_cast<unsigned>(place.line()));
  std::abort();
}

}  // namespace wccl::fuzz
