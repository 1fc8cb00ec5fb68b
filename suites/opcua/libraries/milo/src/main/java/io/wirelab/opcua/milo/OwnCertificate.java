package io.wirelab.opcua.milo;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/** The client's key pair and certificate, and the one certificate of a server that it trusts. */
record OwnCertificate(KeyPair keyPair, X509Certificate certificate, X509Certificate trusted) {

    /** Reads what the run has put into {@code folder}. */
    static OwnCertificate in(Path folder) throws Exception {
        X509Certificate certificate = read(folder.resolve("own.der"));
        String pem = Files.readString(folder.resolve("own.key.pem"));
        byte[] key = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
        PrivateKey own = KeyFactory.getInstance("RSA").generatePrivate(
                new PKCS8EncodedKeySpec(key));
        return new OwnCertificate(new KeyPair(certificate.getPublicKey(), own), certificate,
                read(folder.resolve("trusted").resolve("peer.der")));
    }

    X509Certificate[] chain() {
        return new X509Certificate[] {certificate};
    }

    private static X509Certificate read(Path file) throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(in);
        }
    }
}
