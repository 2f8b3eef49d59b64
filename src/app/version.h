#pragma once

namespace wccl::app {

inline constexpr const char* kVersion = WCCL_VERSION;  // From project() in CMakeLists.txt.

}  // namespace wccl::app
