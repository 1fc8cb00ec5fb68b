//! Values and failures of the library as the suite has them.

use opcua::types::{DataValue, Error, StatusCode, Variant};
use serde_json::{Value as Json, json};
use wirelab_opcua::{BadItem, Failed, Status, TagValue, Value};

const TIMEOUTS: [StatusCode; 2] = [StatusCode::BadTimeout, StatusCode::BadRequestTimeout];
const GONE: [StatusCode; 10] = [
    StatusCode::BadConnectionClosed,
    StatusCode::BadSecureChannelClosed,
    StatusCode::BadSecureChannelIdInvalid,
    StatusCode::BadServerNotConnected,
    StatusCode::BadNotConnected,
    StatusCode::BadSessionClosed,
    StatusCode::BadSessionIdInvalid,
    StatusCode::BadSessionNotActivated,
    StatusCode::BadShutdown,
    StatusCode::BadCommunicationError,
];

/// The value of a tag.
#[derive(Clone, Debug)]
pub(crate) struct TagReading(pub(crate) DataValue);

impl TagValue for TagReading {
    fn bad(&self) -> Option<BadItem> {
        bad_item(self.0.status.unwrap_or(StatusCode::Good))
    }

    fn json(&self) -> Json {
        match &self.0.value {
            Some(Variant::Int32(value)) => json!(value),
            Some(Variant::Double(value)) => json!(value),
            Some(Variant::String(value)) => json!(value.value()),
            None | Some(Variant::Empty) => Json::Null,
            // Of a server of the user's own, whose values are only counted.
            Some(other) => json!(other.to_string()),
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        self.0.value == other.0.value
    }
}

pub(crate) fn variant(value: Value) -> Variant {
    match value {
        Value::Int32(value) => value.into(),
        Value::Double(value) => value.into(),
        Value::Text(value) => value.into(),
    }
}

/// Fault of an item of that status; none where it is good.
pub(crate) fn bad_item(code: StatusCode) -> Option<BadItem> {
    (!code.is_good()).then(|| BadItem {
        class: class_of(code),
        name: name_of(code),
        text: code.to_string(),
    })
}

pub(crate) fn failed(error: &Error) -> Failed {
    failed_with(error.status(), error.to_string())
}

pub(crate) fn failed_with(code: StatusCode, message: String) -> Failed {
    let status = if TIMEOUTS.contains(&code) {
        Status::Timeout
    } else if GONE.contains(&code) {
        Status::Disconnected
    } else {
        Status::Error
    };
    Failed { status, class: class_of(code), message }
}

/// An attempt to connect, of which the library tells no more than a code.
pub(crate) fn failed_to_connect(code: StatusCode) -> Failed {
    let failed = failed_with(code, code.to_string());
    match code {
        StatusCode::BadCommunicationError => Failed { status: Status::Refused, ..failed },
        _ => failed,
    }
}

fn class_of(code: StatusCode) -> String {
    format!("StatusCode::{}", name_of(code))
}

/// The standard's name.
fn name_of(code: StatusCode) -> String {
    code.sub_code().to_string()
}
