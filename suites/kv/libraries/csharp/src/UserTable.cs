using System.Globalization;
using System.Text;

namespace Wirelab.Kv;

/// <summary>The records of YCSB's user table: ten fields of 100 bytes, each of which says who wrote it.</summary>
public static class UserTable
{
    /// <summary>Fields of a record.</summary>
    public const int Fields = 10;

    private const int FieldBytes = 100;
    private const int NumberDigits = 12;
    private const int Head = NumberDigits + 1 + 12;
    private const int Offsets = 1009;
    private static readonly byte[] Letters =
        [.. Enumerable.Range(0, Offsets + FieldBytes - Head).Select(i => (byte)('a' + Draw.Mix((ulong)i) % 26))];

    /// <summary>The key of a record: numbers are hashed, so that neighbours in order are strangers.</summary>
    internal static string NameOf(long record) => $"user{Draw.Mix((ulong)record):D20}";

    /// <summary>Bytes that the write with that sequence number puts into a field; 0: the insert.</summary>
    internal static byte[] Value(long record, int field, long sequence)
    {
        var value = new byte[FieldBytes];
        Encoding.ASCII.GetBytes($"{record:D12}{field}{sequence:D12}", value);
        int offset = (int)((record * 31 + field * 7 + sequence) % Offsets);
        Array.Copy(Letters, offset, value, Head, FieldBytes - Head);
        return value;
    }

    /// <summary>
    /// Sequence number of the write of this field; null where nobody ever wrote what it holds. Of what the first
    /// <paramref name="loaded"/> records were loaded with, a client knows the head alone.
    /// </summary>
    internal static long? SequenceOf(byte[] content, long record, int field, long loaded)
    {
        if (content.Length != FieldBytes || Digits(content.AsSpan(NumberDigits + 1, Head - NumberDigits - 1)) is not long sequence)
        {
            return null;
        }
        int known = sequence == 0 && record < loaded ? Head : FieldBytes;
        return content.AsSpan(0, known).SequenceEqual(Value(record, field, sequence).AsSpan(0, known)) ? sequence : null;
    }

    /// <summary>Number of the record that a field says it belongs to; null where it says none.</summary>
    internal static long? NumberOf(byte[] content) =>
        content.Length < NumberDigits ? null : Digits(content.AsSpan(0, NumberDigits));

    private static long? Digits(ReadOnlySpan<byte> text) =>
        long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long number) ? number : null;
}
