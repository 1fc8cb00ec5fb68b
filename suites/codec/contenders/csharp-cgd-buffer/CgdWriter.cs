using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Cgd;

/// <summary>
/// Appends values in the CGD format: little-endian, one after the other, without tags or padding. A string is the
/// number of its UTF-16 units and one more, the units, and a NUL unit; a list is the number of its elements, and they.
/// </summary>
internal struct CgdWriter(int size)
{
    private readonly byte[] _content = new byte[size];
    private int _at;

    /// <summary>Appends a value of a fixed size, as it lies in memory: .NET is little-endian everywhere.</summary>
    public void Append<T>(T value)
        where T : unmanaged
    {
        MemoryMarshal.Write(_content.AsSpan(_at), in value);
        _at += Unsafe.SizeOf<T>();
    }

    /// <summary>Appends a string.</summary>
    public void Append(string text)
    {
        Append(text.Length + 1);
        Copy(MemoryMarshal.AsBytes(text.AsSpan()));
        Append((short)0);
    }

    /// <summary>Appends a list of integers.</summary>
    public void Append(List<int> values)
    {
        Append(values.Count);
        Copy(MemoryMarshal.AsBytes(CollectionsMarshal.AsSpan(values)));
    }

    /// <summary>Appends a list of strings.</summary>
    public void Append(List<string> values)
    {
        Append(values.Count);
        foreach (string value in values)
        {
            Append(value);
        }
    }

    /// <summary>What was appended.</summary>
    public readonly ArraySegment<byte> Bytes => new(_content, 0, _at);

    private void Copy(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(_content.AsSpan(_at));
        _at += bytes.Length;
    }
}

/// <summary>Bytes that values take in the CGD format, so that a buffer has the right size at once.</summary>
internal static class CgdSize
{
    /// <summary>The count before the elements of a list, the entries of a map, the units of a string.</summary>
    public const int Count = sizeof(int);

    /// <summary>The smallest string: its count, and the NUL unit.</summary>
    public const int EmptyString = Count + sizeof(char);

    public static int Of(string text) => EmptyString + sizeof(char) * text.Length;

    public static int Of(List<int> values) => Count + sizeof(int) * values.Count;

    public static int Of(List<string> values)
    {
        int size = Count;
        foreach (string value in values)
        {
            size += Of(value);
        }
        return size;
    }
}
