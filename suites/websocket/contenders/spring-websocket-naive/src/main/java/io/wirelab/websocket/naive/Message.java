package io.wirelab.websocket.naive;

/**
 * What of a message tells where it goes; the rest of a draw is the members' business.
 *
 * @param type {@code join}, {@code joined} or {@code draw}
 * @param board name of the board
 * @param user number of the user
 */
record Message(String type, String board, Long user) {

    /** Whether it names all that a message must. */
    boolean complete() {
        return type != null && board != null && user != null;
    }
}
