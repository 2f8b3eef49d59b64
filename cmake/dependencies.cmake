# Finds every third-party library; docs/dependencies.md gives the reason for each.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(tl-expected REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(PNG REQUIRED)
pkg_check_modules(turbojpeg REQUIRED IMPORTED_TARGET libturbojpeg)
pkg_check_modules(sodium REQUIRED IMPORTED_TARGET libsodium)

if(WCCL_TORCH)
  include(cmake/torch.cmake)
endif()
