package io.wirelab.websocket.boot;

/**
 * Where clients connect, and how they are spoken to.
 *
 * @param path behind host and port
 * @param protocol the suite's word for what is spoken there
 */
public record Spoken(String path, String protocol) {}
