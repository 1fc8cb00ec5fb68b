package io.wirelab.websocket.boot;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Tomcat and Jetty agree to {@code permessage-deflate} with whoever offers it, and Tomcat has no
 * setting against it; so they do not see the offer.
 */
class WithoutCompression extends OncePerRequestFilter {
    private static final String EXTENSIONS = "Sec-WebSocket-Extensions";

    private final boolean isIdle;

    WithoutCompression(boolean isIdle) {
        this.isIdle = isIdle;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return isIdle;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response,
            FilterChain chain) throws ServletException, IOException {
        chain.doFilter(new HttpServletRequestWrapper(request) {
            @Override
            public Enumeration<String> getHeaders(String name) {
                return EXTENSIONS.equalsIgnoreCase(name)
                        ? Collections.emptyEnumeration() : super.getHeaders(name);
            }
        }, response);
    }
}
