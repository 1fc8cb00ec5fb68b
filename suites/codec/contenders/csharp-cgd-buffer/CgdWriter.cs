using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Codec;

namespace Cgd;

/// <summary>
/// Appends values in the CGD format: little-endian, one after the other, without tags or padding. A string is the
/// number of its UTF-16 units and one more, the units, and a NUL unit; a list is the number of its elements, and they.
/// </summary>
internal struct CgdWriter(int size) : IFieldWriter
{
    private readonly byte[] _content = new byte[size];
    private int _at;

    /// <summary>Appends a value of a fixed size, as it lies in memory: .NET is little-endian everywhere.</summary>
    public void Number<T>(T value)
        where T : unmanaged
    {
        MemoryMarshal.Write(_content.AsSpan(_at), in value);
        _at += Unsafe.SizeOf<T>();
    }

    public void Flag(bool value) => Number(value);

    public void Text(string value)
    {
        Number(value.Length + 1);
        Copy(MemoryMarshal.AsBytes(value.AsSpan()));
        Number((short)0);
    }

    public void OptionalText(string? value)
    {
        if (value is null)
        {
            Number(CgdReader.Null);
        }
        else
        {
            Text(value);
        }
    }

    public void Integers(List<int> values)
    {
        Number(values.Count);
        Copy(MemoryMarshal.AsBytes(CollectionsMarshal.AsSpan(values)));
    }

    /// <summary>Appends a list of bytes.</summary>
    public void Octets(ReadOnlySpan<byte> values)
    {
        Number(values.Length);
        Copy(values);
    }

    public void Texts(List<string> values)
    {
        Number(values.Count);
        foreach (string value in values)
        {
            Text(value);
        }
    }

    public void Lists(Dictionary<string, List<int>> values)
    {
        Number(values.Count);
        foreach (KeyValuePair<string, List<int>> entry in values)
        {
            Text(entry.Key);
            Integers(entry.Value);
        }
    }

    public bool Count(int count, Element element)
    {
        Number(count);
        return true;
    }

    /// <summary>Bytes that were appended, in the array itself: a copy would be timed as well.</summary>
    public readonly ArraySegment<byte> Bytes => new(_content, 0, _at);

    private void Copy(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(_content.AsSpan(_at));
        _at += bytes.Length;
    }
}

/// <summary>Bytes that values take in the CGD format, so that an array has the right size at once.</summary>
internal struct CgdSize : IFieldWriter
{
    /// <summary>The count before the elements of a list, the entries of a map, the units of a string.</summary>
    public const int OfCount = sizeof(int);

    /// <summary>The smallest string: its count, and the NUL unit.</summary>
    public const int OfEmptyString = OfCount + sizeof(char);

    /// <summary>Size of all values so far.</summary>
    public int Bytes { get; private set; }

    public void Number<T>(T value)
        where T : unmanaged => Bytes += Unsafe.SizeOf<T>();

    public void Flag(bool value) => Bytes += sizeof(bool);

    public void Text(string value) => Bytes += OfEmptyString + sizeof(char) * value.Length;

    public void OptionalText(string? value) =>
        Bytes += value is null ? OfCount : OfEmptyString + sizeof(char) * value.Length;

    public void Integers(List<int> values) => Bytes += OfCount + sizeof(int) * values.Count;

    public void Texts(List<string> values)
    {
        Bytes += OfCount;
        foreach (string value in values)
        {
            Text(value);
        }
    }

    public void Lists(Dictionary<string, List<int>> values)
    {
        Bytes += OfCount;
        foreach (KeyValuePair<string, List<int>> entry in values)
        {
            Text(entry.Key);
            Integers(entry.Value);
        }
    }

    public bool Count(int count, Element element)
    {
        Bytes += OfCount + (element.IsFixed ? element.Numbers * count : 0);
        return !element.IsFixed;
    }
}
