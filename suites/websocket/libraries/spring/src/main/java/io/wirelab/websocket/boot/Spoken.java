package io.wirelab.websocket.boot;

/**
 * Address at which clients connect, and the protocol in which they are spoken to.
 *
 * @param scheme before host and port
 * @param path behind them
 * @param protocol the suite's word for what is spoken there
 */
public record Spoken(String scheme, String path, String protocol) {
    /** A protocol in frames of WebSocket. */
    public Spoken(String path, String protocol) {
        this("ws", path, protocol);
    }
}
