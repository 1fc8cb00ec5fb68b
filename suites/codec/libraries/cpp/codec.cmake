# include(${WIRELAB_SUITE}/libraries/cpp/codec.cmake) in a contender, then
# codec_worker(SOURCE…): the program `worker`, installed, with the harness and the C SDK.

include(${CMAKE_CURRENT_LIST_DIR}/release.cmake)
find_package(codec REQUIRED CONFIG)

function(codec_worker)
  # The protocol is a library of its own: of the SDK a contender's sources see the loop alone.
  add_executable(worker ${ARGN} $<TARGET_OBJECTS:codec::harness>)
  codec_compiled(worker)
  install(TARGETS worker RUNTIME DESTINATION bin)
endfunction()
