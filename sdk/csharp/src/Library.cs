using System.Reflection;

namespace Wirelab;

/// <summary>Facts that a library tells of itself.</summary>
public static class Library
{
    /// <summary>The version of the package that <paramref name="type"/> is from; what follows a plus is a commit.</summary>
    public static string VersionOf(Type type) =>
        type.Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0]
        ?? "unknown";
}
