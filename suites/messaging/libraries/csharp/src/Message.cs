using System.Buffers.Binary;

namespace Wirelab.Messaging;

/// <summary>
/// What users send each other: a header of 32 bytes (little-endian) and a payload that follows from the trial's
/// seed, so that every receiver can tell whether each byte is the one that was sent.
/// </summary>
/// <remarks>
/// <code>
/// offset 0   u32  0x314D4C57 ("WLM1")
/// offset 4   u32  user
/// offset 8   u64  sequence: phase in the upper 32 bits, number within it in the lower ones
/// offset 16  u64  when it was sent, CLOCK_MONOTONIC in ns
/// offset 24  u64  echo: when a server of ours answered, 0 before; broadcast: when it was due
/// </code>
/// </remarks>
public sealed class Message
{
    /// <summary>Bytes of the header, and the shortest message.</summary>
    public const int Header = 32;

    private const uint Magic = 0x314D4C57;
    private const int UserAt = 4;
    private const int SequenceAt = 8;
    private const int SentAt = 16;
    private const int ServedAt = 24;
    private const int PoolBytes = 1 << 16;

    /// <summary>The pool twice, so that a slice of up to its size never wraps.</summary>
    private readonly byte[] _pool = new byte[2 * PoolBytes];

    /// <summary>Messages of a trial with this seed.</summary>
    public Message(long seed)
    {
        uint salt = (uint)seed * 40503;
        for (int i = 0; i < _pool.Length; i++)
        {
            _pool[i] = (byte)(((uint)(i % PoolBytes + 1) * 0x9E3779B1 + salt) >> 16);
        }
    }

    /// <summary>A message of so many bytes, at least <see cref="Header"/>, without its times.</summary>
    public byte[] Compose(int user, long sequence, int size)
    {
        byte[] message = new byte[Math.Max(size, Header)];
        BinaryPrimitives.WriteUInt32LittleEndian(message, Magic);
        BinaryPrimitives.WriteInt32LittleEndian(message.AsSpan(UserAt), user);
        BinaryPrimitives.WriteInt64LittleEndian(message.AsSpan(SequenceAt), sequence);
        int from = PlaceOf(user, sequence);
        for (int at = Header; at < message.Length; at += PoolBytes)
        {
            int length = Math.Min(PoolBytes, message.Length - at);
            _pool.AsSpan(from, length).CopyTo(message.AsSpan(at));
        }
        return message;
    }

    /// <summary>Whether <paramref name="message"/> is the one that the user sent as <paramref name="sequence"/>.</summary>
    public bool IsIntact(ReadOnlySpan<byte> message, int user, long sequence, int size)
    {
        if (message.Length != Math.Max(size, Header) || UserOf(message) != user || SequenceOf(message) != sequence)
        {
            return false;
        }
        int from = PlaceOf(user, sequence);
        for (int at = Header; at < message.Length; at += PoolBytes)
        {
            int length = Math.Min(PoolBytes, message.Length - at);
            if (!message.Slice(at, length).SequenceEqual(_pool.AsSpan(from, length)))
            {
                return false;
            }
        }
        return true;
    }

    /// <summary>Writes when the message is sent, and for a broadcast when it was due.</summary>
    public static void StampSent(Span<byte> message, long sentNs, long dueNs)
    {
        BinaryPrimitives.WriteInt64LittleEndian(message[SentAt..], sentNs);
        BinaryPrimitives.WriteInt64LittleEndian(message[ServedAt..], dueNs);
    }

    /// <summary>Who sent it; -1 where it is no message of ours.</summary>
    public static int UserOf(ReadOnlySpan<byte> message) =>
        message.Length >= Header && BinaryPrimitives.ReadUInt32LittleEndian(message) == Magic
            ? BinaryPrimitives.ReadInt32LittleEndian(message[UserAt..])
            : -1;

    /// <summary>Phase and number.</summary>
    public static long SequenceOf(ReadOnlySpan<byte> message) =>
        BinaryPrimitives.ReadInt64LittleEndian(message[SequenceAt..]);

    /// <summary>When it was sent.</summary>
    public static long SentNsOf(ReadOnlySpan<byte> message) =>
        BinaryPrimitives.ReadInt64LittleEndian(message[SentAt..]);

    /// <summary>When it was answered or due, as the kind of message has it.</summary>
    public static long ServedNsOf(ReadOnlySpan<byte> message) =>
        BinaryPrimitives.ReadInt64LittleEndian(message[ServedAt..]);

    /// <summary>What of a message stays the same on its way there and back: everything but its times.</summary>
    internal static byte[] WithoutTimes(ReadOnlySpan<byte> message)
    {
        byte[] plain = message.ToArray();
        plain.AsSpan(SentAt, Header - SentAt).Clear();
        return plain;
    }

    private static int PlaceOf(int user, long sequence)
    {
        long place = (sequence * 97 + user * 389L) % PoolBytes;
        return (int)(place < 0 ? place + PoolBytes : place);
    }
}
