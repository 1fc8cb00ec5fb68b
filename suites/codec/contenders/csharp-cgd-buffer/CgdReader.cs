using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Codec;

namespace Cgd;

/// <summary>Bytes that are not what was to be extracted from them.</summary>
internal sealed class CgdException(string message) : Exception(message);

/// <summary>Extracts values in the CGD format, in the order in which they were appended.</summary>
/// <remarks>
/// Nothing is allocated before it is known that the bytes for it are there: a count is compared with what is left,
/// given the least that an element takes. Null strings and lists, which the format has, are refused where the data
/// have none.
/// </remarks>
internal struct CgdReader(ArraySegment<byte> content) : IFieldReader
{
    /// <summary>The count of what is not there.</summary>
    public const int Null = -1;

    private readonly byte[] _content = content.Array ?? [];
    private readonly int _end = content.Offset + content.Count;
    private int _at = content.Offset;

    /// <summary>Extracts a value of a fixed size.</summary>
    public T Number<T>()
        where T : unmanaged =>
        MemoryMarshal.Read<T>(Take(Unsafe.SizeOf<T>()));

    /// <summary>Extracts a flag; any byte but 0 is true.</summary>
    public bool Flag() => Number<byte>() != 0;

    /// <summary>Extracts a string. Those of .NET may hold lone surrogates, so they come as they are.</summary>
    public string Text()
    {
        int count = CountOf(sizeof(char));
        if (count == 0)
        {
            throw Wrong("a string of no units: an empty one has its terminator");
        }
        ReadOnlySpan<char> units = MemoryMarshal.Cast<byte, char>(Take(sizeof(char) * count));
        if (units[^1] != '\0')
        {
            throw Wrong("a string that does not end with its terminator");
        }
        return new string(units[..^1]);
    }

    public string? OptionalText()
    {
        if (_end - _at < sizeof(int) || MemoryMarshal.Read<int>(_content.AsSpan(_at)) != Null)
        {
            return Text();
        }
        _at += sizeof(int);
        return null;
    }

    public List<int> Integers()
    {
        int count = CountOf(sizeof(int));
        ReadOnlySpan<byte> bytes = Take(sizeof(int) * count);
        var values = new List<int>(count);
        CollectionsMarshal.SetCount(values, count);
        bytes.CopyTo(MemoryMarshal.AsBytes(CollectionsMarshal.AsSpan(values)));
        return values;
    }

    /// <summary>Extracts a list of bytes.</summary>
    public byte[] Octets() => Take(CountOf(sizeof(byte))).ToArray();

    public List<string> Texts()
    {
        int count = CountOf(CgdSize.OfEmptyString);
        var values = new List<string>(count);
        for (int i = 0; i < count; i++)
        {
            values.Add(Text());
        }
        return values;
    }

    public Dictionary<string, List<int>> Lists()
    {
        int count = CountOf(CgdSize.OfEmptyString + CgdSize.OfCount);
        var values = new Dictionary<string, List<int>>(count);
        for (int i = 0; i < count; i++)
        {
            string key = Text();
            values[key] = Integers();
        }
        return values;
    }

    public int Count(Element element) =>
        CountOf(
            element.Numbers + CgdSize.OfEmptyString * element.Texts + CgdSize.OfCount * element.Lists);

    /// <summary>The count before elements or entries, of which each takes <paramref name="least"/> bytes at least.</summary>
    private int CountOf(int least)
    {
        int count = Number<int>();
        if (count < 0 || count > (_end - _at) / least)
        {
            throw Wrong(
                count == Null ? "null where a value must be" : $"a count of {count}, which the rest cannot hold");
        }
        return count;
    }

    private readonly CgdException Wrong(string what) => new($"{what}, {_end - _at} bytes before the end");

    private ReadOnlySpan<byte> Take(int size)
    {
        if (size > _end - _at)
        {
            throw Wrong($"a value of {size} bytes, which the rest does not have");
        }
        var taken = new ReadOnlySpan<byte>(_content, _at, size);
        _at += size;
        return taken;
    }
}
