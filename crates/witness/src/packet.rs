//! A frame of the loopback, as far as its headers go.

use std::net::IpAddr;

/// TCP's flags that begin and end a connection.
pub const FIN: u8 = 0x01;
pub const SYN: u8 = 0x02;
pub const RST: u8 = 0x04;

pub const TCP: u8 = 6;
const UDP: u8 = 17;

/// One end of a connection.
pub type End = (IpAddr, u16);

/// Fields of a packet of TCP or UDP.
#[derive(Debug, PartialEq, Eq)]
pub struct Packet<'a> {
    pub protocol: u8,
    pub source: End,
    pub target: End,
    pub sequence: u32,
    pub flags: u8,
    /// Bytes of payload on the wire.
    pub length: u32,
    /// The part of it that was kept.
    pub payload: &'a [u8],
}

/// Reads a frame with an Ethernet header, `length` bytes on the wire; None for anything else.
pub fn read(frame: &[u8], length: u32) -> Option<Packet<'_>> {
    let network = frame.get(14..)?;
    let carried = length.checked_sub(14)?;
    let (protocol, source, target, header, total) = match half(frame, 12)? {
        0x0800 => {
            let header = usize::from(network.first()? & 0xf) * 4;
            let address = |at: usize| {
                Some(IpAddr::from(
                    <[u8; 4]>::try_from(network.get(at..at + 4)?).ok()?,
                ))
            };
            let total = u32::from(half(network, 2)?);
            (*network.get(9)?, address(12)?, address(16)?, header, total)
        }
        0x86dd => {
            let address = |at: usize| {
                Some(IpAddr::from(
                    <[u8; 16]>::try_from(network.get(at..at + 16)?).ok()?,
                ))
            };
            let total = u32::from(half(network, 4)?);
            let total = if total == 0 { 0 } else { total + 40 };
            (*network.get(6)?, address(8)?, address(24)?, 40, total)
        }
        _ => return None,
    };
    // A segment of more than 64 KiB has no total of its own.
    let total = if total == 0 {
        carried
    } else {
        total.min(carried)
    };
    let transport = network.get(header..)?;
    let (source, target) = ((source, half(transport, 0)?), (target, half(transport, 2)?));
    let (sequence, flags, inner) = match protocol {
        TCP => (
            word(transport, 4)?,
            *transport.get(13)?,
            usize::from(transport.get(12)? >> 4) * 4,
        ),
        UDP => (0, 0, 8),
        _ => return None,
    };
    let length = total.checked_sub((header + inner) as u32)?;
    let payload = transport.get(inner..).unwrap_or_default();
    let payload = &payload[..payload.len().min(length as usize)];
    Some(Packet {
        protocol,
        source,
        target,
        sequence,
        flags,
        length,
        payload,
    })
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tcp_over_ipv4(total: u16) -> Vec<u8> {
        let mut frame = vec![0; 12];
        frame.extend([0x08, 0x00, 0x45, 0]);
        frame.extend(total.to_be_bytes());
        frame.extend([0, 0, 0x40, 0, 64, TCP, 0, 0, 127, 0, 0, 1, 127, 0, 0, 2]);
        frame.extend([0x12, 0xe8, 0x80, 0x01, 0, 0, 0, 7, 0, 0, 0, 0, 0x50, 0x18]);
        frame.extend([0; 6]);
        frame.extend(b"abc");
        frame
    }

    #[test]
    fn a_segment_says_its_ends_its_place_and_its_payload() {
        let frame = tcp_over_ipv4(43);
        let found = read(&frame, frame.len() as u32).expect("a packet");
        assert_eq!(found.source, ("127.0.0.1".parse().unwrap(), 4840));
        assert_eq!(found.target, ("127.0.0.2".parse().unwrap(), 32769));
        assert_eq!((found.sequence, found.flags, found.length), (7, 0x18, 3));
        assert_eq!(found.payload, b"abc");
    }

    #[test]
    fn a_segment_without_a_total_is_as_long_as_its_frame() {
        let frame = tcp_over_ipv4(0);
        assert_eq!(
            read(&frame, 14 + 40 + 70_000).expect("a packet").length,
            70_000
        );
    }

    #[test]
    fn what_is_cut_off_is_no_packet() {
        let frame = tcp_over_ipv4(43);
        assert!((0..54).all(|length| read(&frame[..length.min(47)], 57).is_none()));
    }
}
