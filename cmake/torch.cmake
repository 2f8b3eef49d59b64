# Finds LibTorch and gives it one name, wccl_torch. In this order: -DTorch_DIR=, WCCL_TORCH_DIR, the
# wheel that scripts/setup put into WCCL_HOME, where checkouts share it.
if(DEFINED ENV{WCCL_TORCH_DIR} AND NOT "$ENV{WCCL_TORCH_DIR}" STREQUAL "")
  # Its folder, or the one with TorchConfig.cmake in it.
  find_path(wccl_torch_config TorchConfig.cmake PATHS $ENV{WCCL_TORCH_DIR}
            PATH_SUFFIXES . share/cmake/Torch NO_DEFAULT_PATH NO_CACHE)
  if(NOT wccl_torch_config)
    message(FATAL_ERROR "WCCL_TORCH_DIR names no LibTorch: $ENV{WCCL_TORCH_DIR}/share/cmake/Torch/TorchConfig.cmake is missing")
  endif()
  set(Torch_DIR ${wccl_torch_config} CACHE PATH "LibTorch's CMake config" FORCE)
elseif(NOT EXISTS "${Torch_DIR}/TorchConfig.cmake")
  if(DEFINED ENV{WCCL_HOME})
    set(wccl_home $ENV{WCCL_HOME})
  else()
    set(wccl_home $ENV{HOME}/.cache/wccl)
  endif()
  file(GLOB wheels ${wccl_home}/torch-*/lib/python3*/site-packages/torch/share/cmake/Torch/TorchConfig.cmake)
  if(wheels)
    list(SORT wheels COMPARE NATURAL ORDER DESCENDING)
    list(GET wheels 0 newest)
    cmake_path(GET newest PARENT_PATH newest)
    set(Torch_DIR ${newest} CACHE PATH "LibTorch's CMake config" FORCE)
  endif()
endif()

if(NOT Torch_DIR)
  message(FATAL_ERROR
    "LibTorch was not found. Run scripts/setup to fetch it; or name one of yours with "
    "-DTorch_DIR=.../share/cmake/Torch or the environment variable WCCL_TORCH_DIR; "
    "or build everything but training with -DWCCL_TORCH=OFF.")
endif()
cmake_path(GET Torch_DIR PARENT_PATH torch_prefix)
cmake_path(GET torch_prefix PARENT_PATH torch_prefix)
cmake_path(GET torch_prefix PARENT_PATH torch_prefix)

# SYSTEM: the warnings of its headers are not ours.
add_library(wccl_torch INTERFACE)
find_package(CUDAToolkit QUIET)
if(EXISTS ${torch_prefix}/lib/libtorch_cuda.so AND NOT CUDAToolkit_FOUND)
  # The public Linux wheel is a CUDA build, whose config file insists on a CUDA toolkit. We use its
  # CPU half only, and that stands alone but for two libraries in the folders of its own RPATH.
  message(STATUS "LibTorch: the CPU half of the CUDA build in ${torch_prefix}")
  target_include_directories(wccl_torch SYSTEM INTERFACE
    ${torch_prefix}/include ${torch_prefix}/include/torch/csrc/api/include)
  target_link_libraries(wccl_torch INTERFACE
    ${torch_prefix}/lib/libtorch_cpu.so ${torch_prefix}/lib/libc10.so)
else()
  find_package(Torch REQUIRED)
  target_include_directories(wccl_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
  target_link_libraries(wccl_torch INTERFACE ${TORCH_LIBRARIES})
  separate_arguments(torch_flags UNIX_COMMAND "${TORCH_CXX_FLAGS}")
  target_compile_options(wccl_torch INTERFACE ${torch_flags})
endif()
