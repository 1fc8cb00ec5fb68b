using System.Text.Json.Nodes;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Wirelab;

namespace Whiteboard;

/// <summary>An application on Kestrel, as the SDK runs it.</summary>
/// <param name="app">The application, listening.</param>
/// <param name="facts">What the engine has to know.</param>
internal sealed class KestrelServer(WebApplication app, JsonObject facts) : IServer
{
    /// <summary>Path at which clients open their WebSockets.</summary>
    public const string Path = "/board";

    /// <summary>Time after which whoever is still connected is cut off.</summary>
    private static readonly TimeSpan _shutdownLimit = TimeSpan.FromSeconds(1);

    public (string Name, string Version) Library => ("ASP.NET Core", Environment.Version.ToString());

    public string Endpoint => app.Urls.First().Replace("http:", "ws:", StringComparison.Ordinal) + Path;

    public JsonObject Facts => facts;

    /// <summary>A builder of an application that listens where <paramref name="spec"/> says.</summary>
    public static WebApplicationBuilder Builder(Spec spec)
    {
        // Settings are looked for, and watched, beside the program and not where the worker was started.
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder(
            new WebApplicationOptions { ContentRootPath = AppContext.BaseDirectory });
        // Standard output belongs to the events of the worker contract.
        builder.Logging.ClearProviders().SetMinimumLevel(LogLevel.Warning)
            .AddConsole(console => console.LogToStandardErrorThreshold = LogLevel.Trace);
        builder.Services.Configure<HostOptions>(host => host.ShutdownTimeout = _shutdownLimit);
        // TCP_NODELAY is on by default.
        builder.WebHost.UseSockets(sockets =>
            sockets.Backlog = spec.Parameters.Within("backlog", 1, int.MaxValue));
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(spec.ListenAddress()));
        return builder;
    }

    /// <summary>Begins to serve <paramref name="app"/>.</summary>
    public static async Task<IServer> Start(WebApplication app, JsonObject facts)
    {
        await app.StartAsync();
        return new KestrelServer(app, facts);
    }

    public async Task Close() => await app.DisposeAsync();
}
