"""The certificate for the home network, made on this computer at first use and kept there.

No authority has signed it, so browsers warn once; its fingerprint lets a careful person compare.
"""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography import x509

DAYS = 397
"""Browsers refuse certificates that hold for longer than about 13 months."""

RENEW_DAYS = 14


@dataclass(frozen=True, slots=True)
class Certificate:
    """Two PEM files, and the SHA-256 fingerprint as browsers show it."""

    certificate: Path
    key: Path
    fingerprint: str


def own_certificate(folder: Path, addresses: Sequence[str]) -> Certificate:
    """The certificate kept in ``folder`` where it holds for all ``addresses`` (IP), else a new one."""
    paths = folder / "certificate.pem", folder / "key.pem"
    kept = _kept(*paths)
    if kept is None or not _fits(kept, addresses):
        kept = _make(*paths, addresses)
    return Certificate(*paths, _fingerprint(kept))


def _kept(certificate: Path, key: Path) -> x509.Certificate | None:
    from cryptography import x509
    from cryptography.hazmat.primitives import serialization

    try:
        serialization.load_pem_private_key(key.read_bytes(), None)
        return x509.load_pem_x509_certificate(certificate.read_bytes())
    except (OSError, ValueError):
        return None


def _fits(certificate: x509.Certificate, addresses: Sequence[str]) -> bool:
    from cryptography import x509

    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    known = {str(address) for address in names.get_values_for_type(x509.IPAddress)}
    left = certificate.not_valid_after_utc - datetime.now(UTC)
    return set(addresses) <= known and left > timedelta(days=RENEW_DAYS)


def _make(certificate: Path, key: Path, addresses: Sequence[str]) -> x509.Certificate:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import ExtendedKeyUsageOID

    secret = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Schiri")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name).issuer_name(name).public_key(secret.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=DAYS - 1))
        .add_extension(x509.SubjectAlternativeName(_names(addresses)), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(secret, hashes.SHA256())
    )  # fmt: skip
    certificate.parent.mkdir(parents=True, exist_ok=True)
    encoding, none = serialization.Encoding.PEM, serialization.NoEncryption()
    _write_secret(key, secret.private_bytes(encoding, serialization.PrivateFormat.PKCS8, none))
    certificate.write_bytes(made.public_bytes(encoding))
    return made


def _names(addresses: Sequence[str]) -> list[x509.GeneralName]:
    from cryptography import x509

    host = "".join(c for c in socket.gethostname().lower() if c.isascii() and (c.isalnum() or c in "-.")) or "schiri"
    hosts = dict.fromkeys(["localhost", host, f"{host.split('.')[0]}.local"])
    numbers = dict.fromkeys(["127.0.0.1", "::1", *addresses])
    return [
        *(x509.DNSName(name) for name in hosts),
        *(x509.IPAddress(ipaddress.ip_address(number)) for number in numbers),
    ]


def _write_secret(path: Path, data: bytes) -> None:
    """Readable by this person alone, from the first moment on."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)


def _fingerprint(certificate: x509.Certificate) -> str:
    from cryptography.hazmat.primitives import hashes

    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()
