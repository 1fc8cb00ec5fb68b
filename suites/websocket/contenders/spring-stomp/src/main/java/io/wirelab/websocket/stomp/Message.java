package io.wirelab.websocket.stomp;

/**
 * What of a message tells where it goes; the rest of a draw is the members' business.
 *
 * @param type {@code join} or {@code draw}
 * @param board name of the board
 * @param user number of the user
 */
record Message(String type, String board, Long user) {

    /** Whether it names all that a message must, and is of this type. */
    boolean is(String expected) {
        return expected.equals(type) && board != null && user != null;
    }
}
