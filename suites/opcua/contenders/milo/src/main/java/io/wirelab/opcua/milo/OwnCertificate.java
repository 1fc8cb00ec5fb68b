package io.wirelab.opcua.milo;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import org.eclipse.milo.opcua.stack.core.util.SelfSignedCertificateBuilder;
import org.eclipse.milo.opcua.stack.core.util.SelfSignedCertificateGenerator;

/** The client's key pair and self-signed certificate, kept in a key store in a folder. */
record OwnCertificate(KeyPair keyPair, X509Certificate certificate) {
    private static final String FILE = "client.p12";
    private static final String ALIAS = "client";
    private static final int RSA_BITS = 2048;

    /** Not a secret: it guards a key that lives as long as a trial, against nobody. */
    private static final char[] PASSWORD = "wirelab".toCharArray();

    /** The certificate in {@code folder}, made with Milo's own builder where there is none yet. */
    static OwnCertificate in(Path folder, String applicationUri) throws Exception {
        Path file = folder.resolve(FILE);
        KeyStore store = KeyStore.getInstance("PKCS12");
        if (Files.exists(file)) {
            try (InputStream in = Files.newInputStream(file)) {
                store.load(in, PASSWORD);
            }
        } else {
            store.load(null, PASSWORD);
            KeyPair keyPair = SelfSignedCertificateGenerator.generateRsaKeyPair(RSA_BITS);
            store.setKeyEntry(ALIAS, keyPair.getPrivate(), PASSWORD,
                    new Certificate[] {selfSigned(keyPair, applicationUri)});
            try (OutputStream out = Files.newOutputStream(file)) {
                store.store(out, PASSWORD);
            }
        }
        X509Certificate certificate = (X509Certificate) store.getCertificate(ALIAS);
        PrivateKey key = (PrivateKey) store.getKey(ALIAS, PASSWORD);
        return new OwnCertificate(new KeyPair(certificate.getPublicKey(), key), certificate);
    }

    X509Certificate[] chain() {
        return new X509Certificate[] {certificate};
    }

    private static X509Certificate selfSigned(KeyPair keyPair, String applicationUri)
            throws Exception {
        return new SelfSignedCertificateBuilder(keyPair)
                .setCommonName("wirelab milo")
                .setOrganization("wirelab")
                .setApplicationUri(applicationUri)
                .addDnsName("localhost")
                .addIpAddress("127.0.0.1")
                .build();
    }
}
