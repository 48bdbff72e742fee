#!/usr/bin/env bash
# A project with the component nccl: it links, and says what is missing where something is.
# usage: nccl.sh FOLDER_OF_NCCL_H LIBRARY
source "$(dirname "$0")/common.sh"
header=$1/nccl.h library=$2

mkdir -p nccl/include nccl/lib old/include
ln -s "$header" nccl/include/nccl.h
ln -s "$library" nccl/lib/libnccl.so
printf '#define NCCL_MAJOR 2\n#define NCCL_MINOR 10\n#define NCCL_PATCH 3\n' > old/include/nccl.h
cat > CMakeLists.txt << 'END'
cmake_minimum_required(VERSION 3.25)
project(with_nccl LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(Foldwise CONFIG REQUIRED COMPONENTS ${PARTS})
if(NOT "nccl" IN_LIST PARTS)
  if(TARGET Foldwise::nccl OR TARGET NCCL::nccl)
    message(FATAL_ERROR "nobody has asked for NCCL")
  endif()
  return()
endif()
add_executable(app main.cpp)
target_link_libraries(app PRIVATE Foldwise::nccl)
END
cat > main.cpp << 'END'
#include <foldwise/distributed.hpp>
#include <foldwise/nccl.hpp>

#include <cstdio>

int main() {
    try {
        const foldwise::communicator world = foldwise::nccl(foldwise::communicator());
        std::printf("a group of %d with GPU %d\n", world.size(), world.transport().device());
    } catch (const foldwise::device_error& error) {
        std::printf("%s\n", error.what());
    }
}
END

configure() { cmake -S . -B "$1" -G Ninja -DFoldwise_DIR="$BUILD" -DCMAKE_CXX_COMPILER="$CXX" "${@:2}"; }
refused() {  # refused TEXT BUILD OPTION...: CMake says the text
  local text=$1 output
  shift
  ! output=$(configure "$@" 2>&1) || fail "configured with ${*:2}"
  [[ $(tr -s '\n ' ' ' <<< "$output") == *"$text"* ]] || fail "'$output' does not say '$text'"
}

quietly configure build -DPARTS=nccl -DNCCL_ROOT="$WORK/nccl"
quietly cmake --build build
output=$(LD_LIBRARY_PATH=${library%/*} build/app)
[[ $output == "a group of 1 with GPU 0" || $output == *"foldwise::nccl: there is no GPU"* ]] || fail "the program printed '$output'"

quietly configure without -DPARTS=runtime -DNCCL_ROOT="$WORK/nccl"
refused "there is no Foldwise::nccl here; there are python, runtime," absent -DPARTS=nccl \
  -DCMAKE_DISABLE_FIND_PACKAGE_NCCL=ON
refused "there is no NCCL; NCCL_ROOT may say where it is" absent -DPARTS=nccl -DCMAKE_DISABLE_FIND_PACKAGE_NCCL=ON
refused "NCCL 2.10.3 in $WORK/old/include is older than 2.18" old -DPARTS=nccl -DNCCL_INCLUDE_DIR="$WORK/old/include"
