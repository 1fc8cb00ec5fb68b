package io.wirelab.messaging;

import io.wirelab.sdk.Server;
import io.wirelab.sdk.ServingPart;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Worker;

/** The workers of a contender: its clients in one process, its server or responder in another. */
public final class Messaging {
    private Messaging() {}

    /**
     * Plays the role named by the only argument; does not return.
     *
     * @param transport the role {@code client}
     * @param server the role {@code server}; null where a neutral program fills it
     * @param responder the role {@code responder}; null where echoes need none
     */
    public static void main(String[] arguments, Transport.Maker transport, Server.Maker server,
            Server.Maker responder) {
        String role = arguments.length == 1 ? arguments[0] : "";
        Server.Maker serving = switch (role) {
            case "server" -> server;
            case "responder" -> responder;
            default -> null;
        };
        if (role.equals("client")) {
            Worker.main(new ClientRole(transport));
        } else if (serving != null) {
            ServingPart.main(serving);
        } else {
            throw new IllegalArgumentException("no such role of this contender: " + role);
        }
    }

    /** Most users of a trial at a time, where something has to be made for each beforehand. */
    public static int mostUsers(Spec spec) {
        long most = spec.parameters().integer("users", 1);
        for (Spec.Step step : spec.schedule().steps()) {
            most = Math.max(most, step.users());
        }
        return Math.toIntExact(most);
    }
}
