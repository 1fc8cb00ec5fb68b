package io.wirelab.messaging.jms.artemis;

import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.activemq.artemis.jndi.ActiveMQInitialContextFactory;

/**
 * Administered objects by their names: the context of Artemis's client, which knows the factory from
 * its environment and makes destinations as they are asked for.
 */
final class Lookup {
    private static final String FACTORY = "wirelab";

    private final Context names;

    Lookup(String broker) throws JMSException {
        Hashtable<String, String> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY,
                ActiveMQInitialContextFactory.class.getName());
        environment.put("connectionFactory." + FACTORY, broker);
        try {
            names = new InitialContext(environment);
        } catch (NamingException failed) {
            throw failure(failed);
        }
    }

    ActiveMQConnectionFactory connections() throws JMSException {
        return found(FACTORY, ActiveMQConnectionFactory.class);
    }

    Queue queue(String name) throws JMSException {
        return found("dynamicQueues/" + name, Queue.class);
    }

    Topic topic(String name) throws JMSException {
        return found("dynamicTopics/" + name, Topic.class);
    }

    private <T> T found(String name, Class<T> kind) throws JMSException {
        try {
            return kind.cast(names.lookup(name));
        } catch (NamingException missing) {
            throw failure(missing);
        }
    }

    private static JMSException failure(NamingException why) {
        JMSException told = new JMSException("JNDI: " + why);
        told.setLinkedException(why);
        return told;
    }
}
