# open62541::open62541, static, with the mbedtls it was built with. The folder may be moved.
get_filename_component(_open62541_prefix ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
find_package(Threads REQUIRED)

if(NOT TARGET open62541::open62541)
  add_library(open62541::open62541 STATIC IMPORTED)
  set_target_properties(open62541::open62541 PROPERTIES
    IMPORTED_LOCATION ${_open62541_prefix}/lib/libopen62541.a
    INTERFACE_INCLUDE_DIRECTORIES ${_open62541_prefix}/include
    INTERFACE_LINK_LIBRARIES "${_open62541_prefix}/lib/libmbedtls.a;${_open62541_prefix}/lib/libmbedx509.a;${_open62541_prefix}/lib/libmbedcrypto.a;Threads::Threads;m;rt")
endif()
