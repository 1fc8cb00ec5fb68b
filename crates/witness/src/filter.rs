//! The kernel's filter: packets of some ports, and how much of each packet is kept.
//!
//! A program of the classic packet filter (`Documentation/networking/filter.rst` of Linux), for
//! frames with the loopback's Ethernet header.

use libc::sock_filter;

/// Ports that a filter has room for: a jump reaches 255 instructions.
pub const MOST_PORTS: usize = 32;

/// Bytes of a frame with every header and no payload to speak of.
const HEADERS: u32 = 14 + 60 + 60;
const EVERYTHING: u32 = 0x4_0000;

const LOAD_HALF: u16 = 0x28;
const LOAD_BYTE: u16 = 0x30;
const LOAD_HALF_INDEXED: u16 = 0x48;
const INDEX_BY_HEADER: u16 = 0xb1;
const IF_EQUAL: u16 = 0x15;
const IF_BITS: u16 = 0x45;
const RETURN: u16 = 0x06;

/// Offset at which the kernel answers what kind of packet it is (`SKF_AD_OFF + SKF_AD_PKTTYPE`).
const PACKET_TYPE: u32 = 0xffff_f000 + 4;
const OUTGOING: u32 = 4;

#[derive(Clone, Copy, PartialEq)]
enum FilterPlace {
    Next,
    FourthVersion,
    FourthPorts,
    SixthPorts,
    Taken,
    Headers,
    Dropped,
}

/// An instruction whose jumps are to places, which are known once all of them are there.
struct Step {
    at: Option<FilterPlace>,
    code: u16,
    operand: u32,
    yes: FilterPlace,
    no: FilterPlace,
}

/// Lets nothing through.
pub fn nothing() -> Vec<sock_filter> {
    assembled(&[step(RETURN, 0)])
}

/// Lets packets from and to `ports` through, at most `MOST_PORTS` of them; the payload is kept of
/// departures, `with_payload`. Where that is read there is a protocol, and all of them are of TCP:
/// datagrams would only be in its way.
pub fn of_ports(ports: &[u16], with_payload: bool) -> Vec<sock_filter> {
    let ports = &ports[..ports.len().min(MOST_PORTS)];
    let (kept, fourth_datagrams, sixth_datagrams) = if with_payload {
        (EVERYTHING, FilterPlace::Dropped, FilterPlace::Dropped)
    } else {
        (HEADERS, FilterPlace::FourthPorts, FilterPlace::SixthPorts)
    };
    let mut steps = vec![
        step(LOAD_HALF, 12),
        branch(
            IF_EQUAL,
            0x0800,
            FilterPlace::FourthVersion,
            FilterPlace::Next,
        ),
        branch(IF_EQUAL, 0x86dd, FilterPlace::Next, FilterPlace::Dropped),
        step(LOAD_BYTE, 20),
        branch(IF_EQUAL, 6, FilterPlace::SixthPorts, FilterPlace::Next),
        branch(IF_EQUAL, 17, sixth_datagrams, FilterPlace::Dropped),
        step(LOAD_BYTE, 23).named(FilterPlace::FourthVersion),
        branch(IF_EQUAL, 6, FilterPlace::FourthPorts, FilterPlace::Next),
        branch(IF_EQUAL, 17, fourth_datagrams, FilterPlace::Dropped),
        step(LOAD_HALF, 20).named(FilterPlace::FourthPorts),
        branch(IF_BITS, 0x1fff, FilterPlace::Dropped, FilterPlace::Next),
        step(INDEX_BY_HEADER, 14),
    ];
    steps.extend(either(LOAD_HALF_INDEXED, 14, ports));
    let mut sixth = either(LOAD_HALF, 54, ports);
    sixth[0].at = Some(FilterPlace::SixthPorts);
    steps.extend(sixth);
    steps.extend([
        step(LOAD_HALF, PACKET_TYPE).named(FilterPlace::Taken),
        branch(IF_EQUAL, OUTGOING, FilterPlace::Next, FilterPlace::Headers),
        step(RETURN, kept),
        step(RETURN, HEADERS).named(FilterPlace::Headers),
        step(RETURN, 0).named(FilterPlace::Dropped),
    ]);
    assembled(&steps)
}

/// Steps that tell whether one of the two ports from `offset` on is one of `ports`.
fn either(load: u16, offset: u32, ports: &[u16]) -> Vec<Step> {
    let mut steps = Vec::new();
    for place in [offset, offset + 2] {
        steps.push(step(load, place));
        for port in ports {
            steps.push(branch(
                IF_EQUAL,
                u32::from(*port),
                FilterPlace::Taken,
                FilterPlace::Next,
            ));
        }
    }
    // What stands before an instruction that is no jump falls through to it.
    steps.push(branch(
        IF_EQUAL,
        u32::MAX,
        FilterPlace::Dropped,
        FilterPlace::Dropped,
    ));
    steps
}

fn step(code: u16, operand: u32) -> Step {
    branch(code, operand, FilterPlace::Next, FilterPlace::Next)
}

fn branch(code: u16, operand: u32, yes: FilterPlace, no: FilterPlace) -> Step {
    Step {
        at: None,
        code,
        operand,
        yes,
        no,
    }
}

impl Step {
    fn named(self, place: FilterPlace) -> Self {
        Self {
            at: Some(place),
            ..self
        }
    }
}

fn assembled(steps: &[Step]) -> Vec<sock_filter> {
    let reach = |from: usize, to: FilterPlace| match to {
        FilterPlace::Next => 0,
        place => {
            let at = steps.iter().position(|one| one.at == Some(place));
            let distance = at.expect("a place of the program") - from - 1;
            u8::try_from(distance).expect("a jump within reach, for so few ports")
        }
    };
    let instruction = |(from, one): (usize, &Step)| sock_filter {
        code: one.code,
        jt: reach(from, one.yes),
        jf: reach(from, one.no),
        k: one.operand,
    };
    steps.iter().enumerate().map(instruction).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_ports_are_within_reach_of_a_jump() {
        let ports: Vec<u16> = (1..=100).collect();
        let program = of_ports(&ports, true);
        assert_eq!(program.len(), 12 + 2 * (2 * (MOST_PORTS + 1) + 1) + 5);
    }
}
