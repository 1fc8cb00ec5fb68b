# Compiler flags of the harness and the contenders.

set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CODEC_HARNESS ${CMAKE_CURRENT_LIST_DIR})

function(codec_compiled target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_compile_options(${target} PRIVATE -Wall -Wextra)
  target_include_directories(${target} PRIVATE ${CODEC_HARNESS} ${WIRELAB_SDK}/c)
endfunction()
