# include(${WIRELAB_SUITE}/libraries/cpp/codec.cmake) in a contender, then
# codec_worker(SOURCE…): the program `worker`, installed, with the harness and the C SDK.

set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CODEC_HARNESS ${CMAKE_CURRENT_LIST_DIR})

function(codec_worker)
  # The protocol is a library of its own: of the SDK a contender's sources see the loop alone.
  add_library(harness OBJECT
    ${WIRELAB_SDK}/c/wirelab/allocations.cpp
    ${CODEC_HARNESS}/harness/answers.cpp
    ${CODEC_HARNESS}/harness/conformance.cpp
    ${CODEC_HARNESS}/harness/json.cpp
    ${CODEC_HARNESS}/harness/pool.cpp
    ${CODEC_HARNESS}/harness/worker.cpp)
  # Counting needs malloc to be a call like any other.
  set_source_files_properties(${WIRELAB_SDK}/c/wirelab/allocations.cpp
    PROPERTIES COMPILE_OPTIONS -fno-builtin)
  add_executable(worker ${ARGN})
  target_link_libraries(worker PRIVATE harness)
  foreach(target harness worker)
    target_compile_features(${target} PRIVATE cxx_std_20)
    target_compile_options(${target} PRIVATE -Wall -Wextra)
    target_include_directories(${target} PRIVATE ${CODEC_HARNESS} ${WIRELAB_SDK}/c)
  endforeach()
  install(TARGETS worker RUNTIME DESTINATION bin)
endfunction()
