using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Wirelab.Messaging;

/// <summary>
/// Message that users send each other: a header of 32 bytes (little-endian) and a payload that follows from the trial's
/// key and seed, so that every receiver can tell whether each byte is the one that was sent, and nobody who is not told
/// the key has a message ready before it comes.
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

    /// <summary>Bytes that a payload begins with, and that no other has.</summary>
    private const int WordBytes = 8;

    /// <summary>Users of whom a digest is kept, each in a place of its own where there are no more.</summary>
    private const int KeptUsers = 1024;

    /// <summary>The key, and the seed after it.</summary>
    private readonly byte[] _root;

    private readonly Words?[] _kept = new Words?[KeptUsers];

    /// <summary>The pool twice, so that a slice of up to its size never wraps.</summary>
    private readonly byte[] _pool = new byte[2 * PoolBytes];

    /// <summary>Messages of a trial with this seed, which follow from its key as well.</summary>
    public Message(ReadOnlySpan<byte> key, long seed)
    {
        _root = new byte[key.Length + sizeof(long)];
        key.CopyTo(_root);
        BinaryPrimitives.WriteInt64LittleEndian(_root.AsSpan(key.Length), seed);
        byte[] number = new byte[sizeof(int)];
        for (int at = 0; at < PoolBytes; at += SHA512.HashSizeInBytes)
        {
            BinaryPrimitives.WriteInt32LittleEndian(number, at / SHA512.HashSizeInBytes);
            byte[] digest = Digest(number);
            digest.CopyTo(_pool, at);
            digest.CopyTo(_pool, PoolBytes + at);
        }
    }

    /// <summary>A message of so many bytes, at least <see cref="Header"/>, without its times.</summary>
    public byte[] Compose(int user, long sequence, int size)
    {
        byte[] message = new byte[Math.Max(size, Header)];
        BinaryPrimitives.WriteUInt32LittleEndian(message, Magic);
        BinaryPrimitives.WriteInt32LittleEndian(message.AsSpan(UserAt), user);
        BinaryPrimitives.WriteInt64LittleEndian(message.AsSpan(SequenceAt), sequence);
        ReadOnlySpan<byte> word = WordOf(user, sequence);
        int from = PlaceOf(word);
        for (int at = Header; at < message.Length; at += PoolBytes)
        {
            int length = Math.Min(PoolBytes, message.Length - at);
            _pool.AsSpan(from, length).CopyTo(message.AsSpan(at));
        }
        Span<byte> payload = message.AsSpan(Header);
        word[..Math.Min(WordBytes, payload.Length)].CopyTo(payload);
        return message;
    }

    /// <summary>
    /// Tells whether <paramref name="message"/> is the one that the user sent as <paramref name="sequence"/>.
    /// </summary>
    public bool IsIntact(ReadOnlySpan<byte> message, int user, long sequence, int size)
    {
        if (message.Length != Math.Max(size, Header) || UserOf(message) != user || SequenceOf(message) != sequence)
        {
            return false;
        }
        ReadOnlySpan<byte> word = WordOf(user, sequence);
        ReadOnlySpan<byte> payload = message[Header..];
        int begin = Math.Min(WordBytes, payload.Length);
        if (!payload[..begin].SequenceEqual(word[..begin]))
        {
            return false;
        }
        int from = PlaceOf(word);
        while (payload.Length > 0)
        {
            int length = Math.Min(PoolBytes, payload.Length);
            if (!payload[begin..length].SequenceEqual(_pool.AsSpan(from + begin, length - begin)))
            {
                return false;
            }
            payload = payload[length..];
            begin = 0;
        }
        return true;
    }

    /// <summary>Writes when the message is sent, and for a broadcast when it was due.</summary>
    public static void StampSent(Span<byte> message, long sentNs, long dueNs)
    {
        BinaryPrimitives.WriteInt64LittleEndian(message[SentAt..], sentNs);
        BinaryPrimitives.WriteInt64LittleEndian(message[ServedAt..], dueNs);
    }

    /// <summary>User who sent it; -1 where it is no message of ours.</summary>
    public static int UserOf(ReadOnlySpan<byte> message) =>
        message.Length >= Header && BinaryPrimitives.ReadUInt32LittleEndian(message) == Magic
            ? BinaryPrimitives.ReadInt32LittleEndian(message[UserAt..])
            : -1;

    /// <summary>Phase and number.</summary>
    public static long SequenceOf(ReadOnlySpan<byte> message) =>
        BinaryPrimitives.ReadInt64LittleEndian(message[SequenceAt..]);

    /// <summary>Time at which it was sent.</summary>
    public static long SentNsOf(ReadOnlySpan<byte> message) =>
        BinaryPrimitives.ReadInt64LittleEndian(message[SentAt..]);

    /// <summary>Time at which it was answered or due, as the kind of message has it.</summary>
    public static long ServedNsOf(ReadOnlySpan<byte> message) =>
        BinaryPrimitives.ReadInt64LittleEndian(message[ServedAt..]);

    /// <summary>Part of a message that stays the same on its way there and back: everything but its times.</summary>
    internal static byte[] WithoutTimes(ReadOnlySpan<byte> message)
    {
        byte[] plain = message.ToArray();
        plain.AsSpan(SentAt, Header - SentAt).Clear();
        return plain;
    }

    /// <summary>Place in the pool at which a payload begins.</summary>
    private static int PlaceOf(ReadOnlySpan<byte> word) => BinaryPrimitives.ReadUInt16LittleEndian(word);

    private byte[] Digest(ReadOnlySpan<byte> of)
    {
        byte[] whole = new byte[_root.Length + of.Length];
        _root.CopyTo(whole, 0);
        of.CopyTo(whole.AsSpan(_root.Length));
        return SHA512.HashData(whole);
    }

    /// <summary>Beginning of a payload. By several threads without a lock: whatever is found is checked.</summary>
    private ReadOnlySpan<byte> WordOf(int user, long sequence)
    {
        long block = sequence >>> 3;
        ref Words? place = ref _kept[user & KeptUsers - 1];
        Words? words = Volatile.Read(ref place);
        if (words is null || words.User != user || words.Block != block)
        {
            byte[] of = new byte[sizeof(int) + sizeof(long)];
            BinaryPrimitives.WriteInt32LittleEndian(of, user);
            BinaryPrimitives.WriteInt64LittleEndian(of.AsSpan(sizeof(int)), block);
            words = new Words(user, block, Digest(of));
            Volatile.Write(ref place, words);
        }
        return words.Of.AsSpan((int)(sequence & 7) * WordBytes, WordBytes);
    }

    /// <summary>The words of eight messages in a row.</summary>
    private sealed record Words(int User, long Block, byte[] Of);
}
