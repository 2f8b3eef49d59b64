# wccl_library(NAME [LINKS folders and targets...] [PRIVATE targets...]): src/NAME as a static library.
# wccl_program(): src/app as the program `wccl`.

add_library(wccl_flags INTERFACE)
target_compile_options(wccl_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # AVX2 and FMA: every laptop since 2015. One fixed level, so that a seed gives the same bytes on all of them.
  target_compile_options(wccl_flags INTERFACE -march=x86-64-v3)
  # Nobody reads errno or floating-point flags after arithmetic: loops with comparisons become SIMD.
  target_compile_options(wccl_flags INTERFACE -fno-math-errno -fno-trapping-math)
endif()
if(WCCL_SANITIZE)
  add_compile_options(-fsanitize=${WCCL_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${WCCL_SANITIZE})
  # g++ sees bounds and initialisations that instrumented code does not break (its manual says so).
  target_compile_options(wccl_flags INTERFACE "$<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-maybe-uninitialized;-Wno-stringop-overflow;-Wno-restrict>")
endif()
if(WCCL_FUZZ)
  # Another compiler, other warnings, some of them about its standard library: the usual builds judge those.
  target_compile_options(wccl_flags INTERFACE -Wno-error)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

function(wccl_resolve out)
  set(resolved)
  foreach(name IN LISTS ARGN)
    if(name MATCHES "^(base|phy|link|collective|room|device|session|transfer|eval|c10d|train)$")
      list(APPEND resolved wccl_${name}_lib)
    else()
      list(APPEND resolved ${name})
    endif()
  endforeach()
  set(${out} ${resolved} PARENT_SCOPE)
endfunction()

function(wccl_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINKS;PRIVATE")
  wccl_resolve(links ${arg_LINKS})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  set(target wccl_${name}_lib)
  add_library(${target} STATIC ${sources})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME wccl_${name} LINKER_LANGUAGE CXX)
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PUBLIC ${links} tl::expected PRIVATE wccl_flags fmt::fmt-header-only ${arg_PRIVATE})
endfunction()

function(wccl_program)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/app/*.cpp)
  list(REMOVE_ITEM sources ${PROJECT_SOURCE_DIR}/src/app/main.cpp)
  # With LibTorch train_torch.cpp runs the trainer; without, train_missing.cpp says what to install.
  if(WCCL_TORCH)
    list(FILTER sources EXCLUDE REGEX "_missing\\.cpp$")
  else()
    list(FILTER sources EXCLUDE REGEX "_torch\\.cpp$")
  endif()
  # A library beside the program, so that tests reach what main() calls.
  add_library(wccl_app_lib STATIC ${sources})
  set_target_properties(wccl_app_lib PROPERTIES LINKER_LANGUAGE CXX)
  wccl_resolve(links phy link collective room device session transfer eval)
  if(WCCL_TORCH)
    wccl_resolve(torch_links c10d train)
  endif()
  target_link_libraries(wccl_app_lib
    PUBLIC ${links} ${torch_links} Threads::Threads CLI11::CLI11 nlohmann_json::nlohmann_json
    PRIVATE wccl_flags fmt::fmt-header-only PkgConfig::sodium PNG::PNG)
  target_compile_definitions(wccl_app_lib PRIVATE WCCL_VERSION="${PROJECT_VERSION}" $<$<BOOL:${WCCL_TORCH}>:WCCL_WITH_TORCH>)
  add_executable(wccl ${PROJECT_SOURCE_DIR}/src/app/main.cpp)
  target_link_libraries(wccl PRIVATE wccl_app_lib wccl_flags)
endfunction()
