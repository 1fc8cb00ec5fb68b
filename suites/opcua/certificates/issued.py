"""Certificates of OPC UA applications as Part 6 of the specification (6.2.2) asks for them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_BITS = 2048
_BEFORE = timedelta(hours=1)
_LONGEST = timedelta(days=1)


@dataclass(frozen=True)
class Issued:
    """A key pair and its self-signed certificate."""

    certificate: bytes
    """DER."""

    key: bytes
    """PKCS #8 in PEM, without a password: it guards nothing and lives as long as a trial."""


def issue(name: str, application_uri: str, *, expired: bool = False) -> Issued:
    """A new certificate of the application ``application_uri`` for the loopback interface.

    It is valid from an hour ago for a day; where ``expired``, until a minute ago.
    """
    key = rsa.generate_private_key(public_exponent=65537, key_size=_BITS)
    public = key.public_key()
    subject = x509.Name(
        [
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, "wirelab"),
            x509.NameAttribute(NameOID.COMMON_NAME, name),
        ]
    )
    now = datetime.now(UTC)
    begin, end = (
        (now - _LONGEST, now - timedelta(minutes=1)) if expired else (now - _BEFORE, now + _LONGEST)
    )
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(begin)
        .not_valid_after(end)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(public), critical=False)
        .add_extension(_addresses(application_uri), critical=False)
        .add_extension(_usage(), critical=True)
        .add_extension(
            x509.ExtendedKeyUsage(
                [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
            ),
            critical=False,
        )
        .sign(key, hashes.SHA256())
    )
    return Issued(
        certificate.public_bytes(Encoding.DER),
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
    )


def _addresses(application_uri: str) -> x509.SubjectAlternativeName:
    return x509.SubjectAlternativeName(
        [
            x509.UniformResourceIdentifier(application_uri),
            x509.DNSName("localhost"),
            x509.IPAddress(ip_address("127.0.0.1")),
        ]
    )


def _usage() -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=True,
        key_encipherment=True,
        data_encipherment=True,
        key_agreement=False,
        # What a self-signed certificate has to be allowed: it signed itself.
        key_cert_sign=True,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )
