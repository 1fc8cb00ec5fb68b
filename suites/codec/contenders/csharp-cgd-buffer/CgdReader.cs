using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Cgd;

/// <summary>Bytes that are not what was to be extracted from them.</summary>
internal sealed class CgdException(string message) : Exception(message);

/// <summary>Extracts values in the CGD format, in the order in which they were appended.</summary>
/// <remarks>
/// Nothing is allocated before it is known that the bytes for it are there: a count is compared with what is left,
/// given the least that an element takes. Null strings and lists, which the format has, are refused.
/// </remarks>
internal ref struct CgdReader(ReadOnlySpan<byte> content)
{
    private const int Null = -1;

    private ReadOnlySpan<byte> _left = content;

    /// <summary>Extracts a value of a fixed size.</summary>
    public T Extract<T>()
        where T : unmanaged =>
        MemoryMarshal.Read<T>(Take(Unsafe.SizeOf<T>()));

    /// <summary>Extracts a flag; any byte but 0 is true.</summary>
    public bool ExtractFlag() => Extract<byte>() != 0;

    /// <summary>Extracts a string. Those of .NET may hold lone surrogates, so they come as they are.</summary>
    public string ExtractString()
    {
        int count = ExtractCount(sizeof(char));
        if (count == 0)
        {
            throw new CgdException("a string without room for its terminator");
        }
        ReadOnlySpan<char> units = MemoryMarshal.Cast<byte, char>(Take(sizeof(char) * count));
        if (units[^1] != '\0')
        {
            throw new CgdException("a string does not end with its terminator");
        }
        return new string(units[..^1]);
    }

    /// <summary>Extracts a list of integers.</summary>
    public List<int> ExtractIntegers()
    {
        int count = ExtractCount(sizeof(int));
        ReadOnlySpan<byte> bytes = Take(sizeof(int) * count);
        var values = new List<int>(count);
        CollectionsMarshal.SetCount(values, count);
        bytes.CopyTo(MemoryMarshal.AsBytes(CollectionsMarshal.AsSpan(values)));
        return values;
    }

    /// <summary>Extracts a list of strings.</summary>
    public List<string> ExtractStrings()
    {
        int count = ExtractCount(CgdSize.EmptyString);
        var values = new List<string>(count);
        for (int i = 0; i < count; i++)
        {
            values.Add(ExtractString());
        }
        return values;
    }

    /// <summary>
    /// Extracts the count before elements or entries, of which each takes <paramref name="least"/> bytes at least.
    /// </summary>
    public int ExtractCount(int least)
    {
        int count = Extract<int>();
        if (count < 0 || count > _left.Length / least)
        {
            throw new CgdException(
                count == Null
                    ? "null where a value is expected"
                    : $"a count of {count} that the bytes left cannot hold");
        }
        return count;
    }

    private ReadOnlySpan<byte> Take(int size)
    {
        if (size > _left.Length)
        {
            throw new CgdException($"expected {size} bytes more, found {_left.Length}");
        }
        ReadOnlySpan<byte> taken = _left[..size];
        _left = _left[size..];
        return taken;
    }
}
