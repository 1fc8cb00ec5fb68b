//! Protocols in which each side says something from time to time, and a silent one is lost.

use serde_json::Value;

const MILLISECOND: u64 = 1_000_000;

/// Words of the client after its own silence, and its patience with the server's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeepAlive {
    /// Said when nothing else was for `every_ns`.
    pub ping: &'static str,
    every_ns: u64,
    patience_ns: u64,
}

/// Times at which each side of a connection has last said something.
#[derive(Clone, Copy, Default)]
pub struct LastActivity {
    /// The client.
    pub said_ns: u64,
    /// The server.
    pub heard_ns: u64,
}

/// Next thing to do about a connection.
#[derive(Debug, PartialEq, Eq)]
pub enum Due {
    /// The server is not there any more.
    Lost,
    /// It has to be told that the client still is.
    Ping,
    /// Nothing before this time.
    Later(u64),
}

impl KeepAlive {
    /// The times that a server's facts tell; others are those of SignalR's documentation.
    pub fn of(ping: &'static str, facts: &Value) -> Result<Self, String> {
        let time = |name: &str, otherwise: u64| match facts.get(name) {
            None => Ok(otherwise * MILLISECOND),
            Some(told) => match told.as_u64() {
                Some(ms @ 1..=3_600_000) => Ok(ms * MILLISECOND),
                _ => Err(format!(
                    "the server's fact `{name}` is {told}: 1 to 3600000 expected"
                )),
            },
        };
        Ok(Self {
            ping,
            every_ns: time("keep_alive_ms", 15_000)?,
            patience_ns: time("timeout_ms", 30_000)?,
        })
    }

    /// Tells what is due `now`.
    pub fn due(&self, signs: LastActivity, now: u64) -> Due {
        let (lost_ns, ping_ns) = (
            signs.heard_ns + self.patience_ns,
            signs.said_ns + self.every_ns,
        );
        if now >= lost_ns {
            Due::Lost
        } else if now >= ping_ns {
            Due::Ping
        } else {
            Due::Later(lost_ns.min(ping_ns))
        }
    }

    /// Message about a server that is lost.
    pub fn lost(&self) -> String {
        format!(
            "the server was silent for {} ms",
            self.patience_ns / MILLISECOND
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Due, KeepAlive, LastActivity};
    use serde_json::json;

    const SECOND: u64 = 1_000_000_000;

    fn documented() -> KeepAlive {
        KeepAlive::of("ping", &json!({ "protocol": "signalr" })).expect("times")
    }

    fn due(said_s: u64, heard_s: u64, now_s: u64) -> Due {
        let signs = LastActivity {
            said_ns: said_s * SECOND,
            heard_ns: heard_s * SECOND,
        };
        documented().due(signs, now_s * SECOND)
    }

    #[test]
    fn pings_after_15_s_of_silence_and_waits_for_30_s() {
        assert_eq!(due(100, 110, 114), Due::Later(115 * SECOND));
        assert_eq!(due(100, 110, 115), Due::Ping);
        assert_eq!(due(115, 110, 115), Due::Later(130 * SECOND));
        assert_eq!(due(130, 110, 139), Due::Later(140 * SECOND));
        assert_eq!(due(130, 110, 140), Due::Lost);
        assert_eq!(due(100, 110, 140), Due::Lost);
    }

    #[test]
    fn a_server_may_have_other_times() {
        let told = KeepAlive::of("ping", &json!({ "keep_alive_ms": 100, "timeout_ms": 300 }));
        let told = told.expect("times");
        assert_eq!(
            (told.every_ns, told.patience_ns),
            (100_000_000, 300_000_000)
        );
        assert_eq!(told.lost(), "the server was silent for 300 ms");
        for wrong in [json!(0), json!("15"), json!(-1), json!(1e12), json!(null)] {
            assert!(KeepAlive::of("ping", &json!({ "timeout_ms": wrong })).is_err());
        }
    }
}
