//! The policy of a spec, its certificates, and the client that they belong to.

use std::path::{Path, PathBuf};
use std::time::Duration;

use opcua::client::{Client, ClientBuilder};
use opcua::crypto::{CertificateStore, SecurityPolicy};
use opcua::types::{EndpointDescription, MessageSecurityMode, StatusCode};
use wirelab_opcua::{Failed, Failure, Spec};

use crate::values::failed_to_connect;

const APPLICATION_URI: &str = "urn:wirelab:opcua:client";
/// The library takes arrays of 1,000 and no more unless it is told so.
const LONGEST_ARRAY: usize = 100_000;

/// Policy and mode, and where the certificates are; nowhere without security.
pub(crate) struct Security {
    policy: SecurityPolicy,
    mode: MessageSecurityMode,
    folder: Option<PathBuf>,
}

impl Security {
    pub(crate) fn of(spec: &Spec) -> Result<Self, Failure> {
        let (policy, mode) = match spec.parameter("security", "None".to_owned())?.as_str() {
            "None" => (SecurityPolicy::None, MessageSecurityMode::None),
            name => (policy_of(name)?, mode_of(spec)?),
        };
        let folder = spec
            .facts
            .get("certificates")
            .and_then(|facts| facts["client_folder"].as_str())
            .filter(|_| policy != SecurityPolicy::None)
            .map(PathBuf::from);
        Ok(Self { policy, mode, folder })
    }

    /// A client with the certificates, which trusts the one that is on its list.
    pub(crate) fn client(&self, spec: &Spec) -> Result<Client, Failure> {
        let pki = spec.paths.scratch.join("pki");
        let request = Duration::from_nanos(spec.parameter("request_timeout_ns", 4_000_000_000)?);
        let delay = Duration::from_millis(spec.parameter("reconnect_max_delay_ms", 500)?);
        let keep_alive = Duration::from_millis(spec.parameter("keep_alive_interval_ms", 10_000)?);
        let mut builder = ClientBuilder::new()
            .application_name("wirelab")
            .application_uri(APPLICATION_URI)
            .product_uri(APPLICATION_URI)
            .pki_dir(&pki)
            .trust_server_certs(false)
            .max_array_length(LONGEST_ARRAY)
            .request_timeout(request)
            .session_retry_limit(-1)
            .session_retry_initial(delay / 2)
            .session_retry_max(delay)
            .keep_alive_interval(keep_alive)
            .max_failed_keep_alive_count(spec.parameter("max_failed_keep_alive_count", 0)?);
        let session_ns: u64 = spec.parameter("session_timeout_ns", 0)?;
        if session_ns > 0 {
            builder = builder.session_timeout(u32::try_from(session_ns / 1_000_000)?);
        }
        let interval_ns: u64 = spec.parameter("interval_ns", 0)?;
        if interval_ns > 0 {
            builder = builder.min_publish_interval(Duration::from_nanos(interval_ns));
        }
        if let Some(folder) = &self.folder {
            trust(&folder.join("trusted").join("peer.der"), &pki)?;
            builder = builder
                .certificate_path(folder.join("own.der"))
                .private_key_path(folder.join("own.key.pem"));
        }
        builder.client().map_err(|wrong| wrong.join(", ").into())
    }

    /// The endpoint of the policy and its mode.
    pub(crate) fn choose(
        &self,
        offered: Vec<EndpointDescription>,
    ) -> Result<EndpointDescription, Failed> {
        let uri = self.policy.to_uri();
        offered
            .into_iter()
            .find(|one| one.security_policy_uri == uri && one.security_mode == self.mode)
            .ok_or_else(|| failed_to_connect(StatusCode::BadSecurityPolicyRejected))
    }
}

fn policy_of(name: &str) -> Result<SecurityPolicy, Failure> {
    match name {
        "Basic256Sha256" => Ok(SecurityPolicy::Basic256Sha256),
        "Aes128_Sha256_RsaOaep" => Ok(SecurityPolicy::Aes128Sha256RsaOaep),
        _ => Err(format!("no policy is called {name}").into()),
    }
}

fn mode_of(spec: &Spec) -> Result<MessageSecurityMode, Failure> {
    match spec.parameter("security_mode", "SignAndEncrypt".to_owned())?.as_str() {
        "Sign" => Ok(MessageSecurityMode::Sign),
        "SignAndEncrypt" => Ok(MessageSecurityMode::SignAndEncrypt),
        name => Err(format!("no mode is called {name}").into()),
    }
}

/// Puts a certificate on the list: into the store's folder, by the name that it has there.
fn trust(certificate: &Path, pki: &Path) -> Result<(), Failure> {
    let store = CertificateStore::new(pki);
    store.ensure_pki_path()?;
    let name = CertificateStore::cert_file_name(&CertificateStore::read_cert(certificate)?);
    std::fs::copy(certificate, store.trusted_certs_dir().join(name))?;
    Ok(())
}
