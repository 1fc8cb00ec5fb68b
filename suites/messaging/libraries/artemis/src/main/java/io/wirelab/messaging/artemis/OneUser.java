package io.wirelab.messaging.artemis;

import io.wirelab.messaging.Credentials;
import java.util.Set;
import org.apache.activemq.artemis.core.security.CheckType;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.spi.core.security.ActiveMQSecurityManager;

/** Lets one user in, who may do everything. */
final class OneUser implements ActiveMQSecurityManager {
    private final Credentials known;

    OneUser(Credentials known) {
        this.known = known;
    }

    @Override
    public boolean validateUser(String user, String password) {
        return known.equals(new Credentials(user, password));
    }

    @Override
    public boolean validateUserAndRole(String user, String password, Set<Role> roles,
            CheckType checkType) {
        return validateUser(user, password);
    }
}
