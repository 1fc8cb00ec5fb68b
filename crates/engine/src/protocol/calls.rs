//! `grpc`: the objects themselves, as messages of one call whose streams go both ways.

use super::json::Json;
use super::{Adapter, BoardUser, Carrier, ServerMessage};

/// The method that is called, `rpc Draw (stream StringValue) returns (stream StringValue)`.
const METHOD: &str = "/wirelab.whiteboard.Whiteboard/Draw";

pub struct Calls;

impl Adapter for Calls {
    fn carrier(&self) -> Carrier {
        Carrier::Calls
    }

    fn address(&self, endpoint: String, _connection: &str, _member: BoardUser<'_>) -> String {
        format!("{}{METHOD}", endpoint.trim_end_matches('/'))
    }

    fn hello(&self, member: BoardUser<'_>) -> Option<String> {
        Json.hello(member)
    }

    fn hear<'a>(&self, member: BoardUser<'_>, state: &mut u8, text: &'a str) -> ServerMessage<'a> {
        Json.hear(member, state, text)
    }

    fn draw(&self, board: &str, text: String) -> String {
        Json.draw(board, text)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Adapter, BoardUser, Carrier};
    use super::{Calls, METHOD};

    #[test]
    fn a_method_is_called_at_the_host_that_was_told() {
        let member = BoardUser {
            board: "b0007",
            user: 12,
        };
        for endpoint in ["http://h:1", "http://h:1/"] {
            let address = Calls.address(endpoint.to_owned(), "7-1", member);
            assert_eq!(address, format!("http://h:1{METHOD}"));
        }
        assert_eq!(Calls.carrier(), Carrier::Calls);
        assert!(Calls.hello(member).is_some());
    }
}
