package io.wirelab.messaging.jms.activemq;

import io.wirelab.messaging.Credentials;
import org.apache.activemq.broker.Broker;
import org.apache.activemq.broker.BrokerFilter;
import org.apache.activemq.broker.BrokerPlugin;
import org.apache.activemq.broker.ConnectionContext;
import org.apache.activemq.command.ConnectionInfo;

/**
 * Lets one user in. The broker's own plugin for that wants its JAAS library, which the figures would
 * then be said to need.
 */
final class OneUser implements BrokerPlugin {
    private final Credentials known;

    OneUser(Credentials known) {
        this.known = known;
    }

    @Override
    public Broker installPlugin(Broker next) {
        return new BrokerFilter(next) {
            @Override
            public void addConnection(ConnectionContext context, ConnectionInfo info)
                    throws Exception {
                if (!known.equals(new Credentials(info.getUserName(), info.getPassword()))) {
                    throw new SecurityException("User name or password is invalid.");
                }
                super.addConnection(context, info);
            }
        };
    }
}
