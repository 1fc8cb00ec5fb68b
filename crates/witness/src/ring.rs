//! The packet socket of the loopback with its memory-mapped ring, TPACKET_V3.
//!
//! See `Documentation/networking/packet_mmap.rst` of Linux. The only room with `unsafe`: the kernel
//! shares memory with this process, and says in each block whose it is.
#![allow(unsafe_code)]

use std::io;
use std::mem::{size_of, zeroed};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::ptr;
use std::slice;
use std::sync::atomic::{AtomicU32, Ordering};

use libc::{c_int, c_void, sock_filter, sock_fprog, socklen_t, tpacket_req3};

use crate::filter;

const BLOCK: usize = 1 << 19;
const BLOCKS: usize = 16;
/// The kernel hands a block over when it is full, or this long after its first packet (ms).
pub const HANDED_OVER_AFTER_MS: u32 = 20;

/// A frame as the kernel kept it.
pub struct RingFrame<'a> {
    /// CLOCK_REALTIME, in ns.
    pub stamp_ns: u64,
    /// On its way out, or else on its way in.
    pub departs: bool,
    /// Bytes on the wire.
    pub length: u32,
    /// The bytes that were kept.
    pub bytes: &'a [u8],
}

/// The socket and its ring.
pub struct Ring {
    socket: OwnedFd,
    memory: *mut u8,
    next: usize,
}

impl Ring {
    /// A ring of the loopback that lets nothing through yet.
    pub fn of_loopback() -> io::Result<Self> {
        // SAFETY: no pointers. With protocol 0 it receives nothing before it is bound.
        let raw =
            done(unsafe { libc::socket(libc::AF_PACKET, libc::SOCK_RAW | libc::SOCK_CLOEXEC, 0) })?;
        // SAFETY: the descriptor is new, and nobody else's.
        let socket = unsafe { OwnedFd::from_raw_fd(raw) };
        set(
            &socket,
            libc::SOL_PACKET,
            libc::PACKET_VERSION,
            &(libc::tpacket_versions::TPACKET_V3 as c_int),
        )?;
        let request = tpacket_req3 {
            tp_block_size: BLOCK as u32,
            tp_block_nr: BLOCKS as u32,
            tp_frame_size: 1 << 11,
            tp_frame_nr: ((BLOCK * BLOCKS) >> 11) as u32,
            tp_retire_blk_tov: HANDED_OVER_AFTER_MS,
            tp_sizeof_priv: 0,
            tp_feature_req_word: 0,
        };
        set(&socket, libc::SOL_PACKET, libc::PACKET_RX_RING, &request)?;
        let rights = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping of exactly the ring's size, anywhere.
        let memory = unsafe {
            libc::mmap(
                ptr::null_mut(),
                BLOCK * BLOCKS,
                rights,
                libc::MAP_SHARED,
                socket.as_raw_fd(),
                0,
            )
        };
        if memory == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let ring = Self {
            socket,
            memory: memory.cast(),
            next: 0,
        };
        ring.let_through(&filter::nothing())?;
        ring.bind()?;
        Ok(ring)
    }

    /// Lets through what a filter takes, from now on.
    pub fn let_through(&self, program: &[sock_filter]) -> io::Result<()> {
        let program = sock_fprog {
            len: program.len() as u16,
            filter: program.as_ptr().cast_mut(),
        };
        // The kernel copies the program before the call returns, and does not write to it.
        set(
            &self.socket,
            libc::SOL_SOCKET,
            libc::SO_ATTACH_FILTER,
            &program,
        )
    }

    /// Hands every frame of the blocks that are this process's to `see`; whether there was any.
    pub fn take(
        &mut self,
        mut see: impl FnMut(RingFrame<'_>) -> io::Result<()>,
    ) -> io::Result<bool> {
        let mut any = false;
        while let Some(block) = self.handed_over() {
            any = true;
            for frame in frames(block) {
                see(frame)?;
            }
            self.status(self.next)
                .store(libc::TP_STATUS_KERNEL, Ordering::Release);
            self.next = (self.next + 1) % BLOCKS;
        }
        Ok(any)
    }

    /// Packets that the kernel has dropped since it was last asked, for want of room.
    pub fn drops(&self) -> io::Result<u64> {
        // SAFETY: plain numbers, for which zeros are a value.
        let mut counted: libc::tpacket_stats_v3 = unsafe { zeroed() };
        let mut length = size_of::<libc::tpacket_stats_v3>() as socklen_t;
        let place = ptr::from_mut(&mut counted).cast::<c_void>();
        // SAFETY: the kernel writes at most `length` bytes to `counted`, which outlives the call.
        done(unsafe {
            let socket = self.socket.as_raw_fd();
            libc::getsockopt(
                socket,
                libc::SOL_PACKET,
                libc::PACKET_STATISTICS,
                place,
                &mut length,
            )
        })?;
        Ok(u64::from(counted.tp_drops))
    }

    fn bind(&self) -> io::Result<()> {
        // SAFETY: a name that ends with a zero.
        let loopback = unsafe { libc::if_nametoindex(c"lo".as_ptr()) };
        if loopback == 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: plain numbers, for which zeros are a value.
        let mut address: libc::sockaddr_ll = unsafe { zeroed() };
        address.sll_family = libc::AF_PACKET as u16;
        // Every protocol: departures are seen by no other socket.
        address.sll_protocol = (libc::ETH_P_ALL as u16).to_be();
        address.sll_ifindex = loopback as c_int;
        let place = ptr::from_ref(&address).cast();
        // SAFETY: an address of the family and the size that are told, which outlives the call.
        done(unsafe {
            libc::bind(
                self.socket.as_raw_fd(),
                place,
                size_of::<libc::sockaddr_ll>() as socklen_t,
            )
        })?;
        Ok(())
    }

    /// The next block, once the kernel has handed it over.
    fn handed_over(&self) -> Option<&[u8]> {
        let user = self.status(self.next).load(Ordering::Acquire) & libc::TP_STATUS_USER != 0;
        // SAFETY: within the mapping; the kernel does not touch a block before it is given back,
        // which `take` does once nothing borrows it.
        user.then(|| unsafe { slice::from_raw_parts(self.memory.add(self.next * BLOCK), BLOCK) })
    }

    /// Owner of a block (`tpacket_hdr_v1.block_status`, after two words).
    fn status(&self, block: usize) -> &AtomicU32 {
        // SAFETY: within the mapping, aligned to a block and two words; all access is atomic.
        unsafe { AtomicU32::from_ptr(self.memory.add(block * BLOCK + 8).cast()) }
    }
}

impl AsFd for Ring {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

/// The frames of a block, by offsets that are held to its bounds.
fn frames(block: &[u8]) -> impl Iterator<Item = RingFrame<'_>> {
    // `tpacket_hdr_v1` after version and offset of private data: status, number, first offset.
    let number = word(block, 12);
    let mut at = word(block, 16) as usize;
    (0..number).map_while(move |_| {
        let header = block.get(at..)?;
        let frame = frame(header)?;
        at += word(header, 0) as usize;
        Some(frame)
    })
}

/// `tpacket3_hdr`, and the `sockaddr_ll` behind it.
fn frame(header: &[u8]) -> Option<RingFrame<'_>> {
    let address = header.get(size_of::<libc::tpacket3_hdr>()..)?;
    let kept = word(header, 12) as usize;
    let begin = usize::from(u16::from_ne_bytes([header[24], header[25]]));
    Some(RingFrame {
        stamp_ns: u64::from(word(header, 4)) * 1_000_000_000 + u64::from(word(header, 8)),
        departs: *address.get(10)? == libc::PACKET_OUTGOING,
        length: word(header, 16),
        bytes: header.get(begin..begin + kept)?,
    })
}

fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).map_or(0, |four| {
        u32::from_ne_bytes([four[0], four[1], four[2], four[3]])
    })
}

fn set<T>(socket: &OwnedFd, level: c_int, name: c_int, value: &T) -> io::Result<()> {
    let place = ptr::from_ref(value).cast::<c_void>();
    // SAFETY: as many bytes as `value` has, which outlives the call.
    done(unsafe {
        libc::setsockopt(
            socket.as_raw_fd(),
            level,
            name,
            place,
            size_of::<T>() as socklen_t,
        )
    })?;
    Ok(())
}

fn done(answer: c_int) -> io::Result<c_int> {
    if answer < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(answer)
    }
}
