package io.wirelab.opcua.milo;

import java.nio.file.Path;
import java.util.Optional;
import org.eclipse.milo.opcua.stack.core.types.builtin.LocalizedText;
import org.eclipse.milo.opcua.stack.core.types.builtin.unsigned.UInteger;

/**
 * Settings of a client beyond Milo's defaults.
 *
 * @param name of the application
 * @param uri of the application, as in its certificate
 * @param requestTimeout in ms
 * @param sessionTimeout in ms; Milo's own without it
 * @param certificate with what it trusts; none without security
 * @param scratch a folder for anything else
 */
record Settings(LocalizedText name, String uri, UInteger requestTimeout,
        Optional<UInteger> sessionTimeout, Optional<OwnCertificate> certificate, Path scratch) {}
