using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace Wirelab.Test;

/// <summary>References of an assembly to others: types, and members as <c>Namespace.Type.Member</c>.</summary>
internal static class References
{
    private static readonly string[] Accessors = ["get_", "set_", "add_", "remove_"];

    /// <summary>References of the assembly at <paramref name="path"/>, in order.</summary>
    public static IEnumerable<string> Of(string path)
    {
        using var file = new PEReader(File.OpenRead(path));
        MetadataReader read = file.GetMetadataReader();
        var found = new SortedSet<string>(StringComparer.Ordinal);
        foreach (TypeReferenceHandle type in read.TypeReferences)
        {
            found.Add(Name(read, type));
        }
        foreach (MemberReferenceHandle handle in read.MemberReferences)
        {
            MemberReference member = read.GetMemberReference(handle);
            if (Declaring(read, member.Parent) is { } type)
            {
                found.Add($"{type}.{Plain(read.GetString(member.Name))}");
            }
        }
        return found;
    }

    private static string? Declaring(MetadataReader read, EntityHandle parent) => parent.Kind switch
    {
        HandleKind.TypeReference => Name(read, (TypeReferenceHandle)parent),
        HandleKind.TypeSpecification => Generic(read, (TypeSpecificationHandle)parent),
        _ => null,
    };

    /// <summary>The open type of a generic one: in its signature it follows two bytes.</summary>
    private static string? Generic(MetadataReader read, TypeSpecificationHandle handle)
    {
        BlobReader signature = read.GetBlobReader(read.GetTypeSpecification(handle).Signature);
        if (signature.ReadSignatureTypeCode() != SignatureTypeCode.GenericTypeInstance)
        {
            return null;
        }
        signature.ReadByte();
        EntityHandle open = signature.ReadTypeHandle();
        return open.Kind == HandleKind.TypeReference ? Name(read, (TypeReferenceHandle)open) : null;
    }

    private static string Name(MetadataReader read, TypeReferenceHandle handle)
    {
        TypeReference type = read.GetTypeReference(handle);
        string before = type.ResolutionScope.Kind == HandleKind.TypeReference
            ? Name(read, (TypeReferenceHandle)type.ResolutionScope)
            : read.GetString(type.Namespace);
        return $"{before}.{read.GetString(type.Name).Split('`')[0]}";
    }

    private static string Plain(string member)
    {
        string? accessor = Array.Find(Accessors, one => member.StartsWith(one, StringComparison.Ordinal));
        return accessor is null ? member : member[accessor.Length..];
    }
}
