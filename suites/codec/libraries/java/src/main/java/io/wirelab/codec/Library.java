package io.wirelab.codec;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A library's name and the version that is at work. */
public record Library(String name, String version) {
    private static final Pattern JAR = Pattern.compile("[^/]+?-(\\d[^/]*)\\.jar");

    /** The library called {@code name} whose jar, {@code artifact-version.jar}, has {@code type}. */
    public static Library of(String name, Class<?> type) {
        String jar = Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .getFileName().toString();
        Matcher named = JAR.matcher(jar);
        return new Library(name, named.matches() ? named.group(1) : "unknown");
    }
}
