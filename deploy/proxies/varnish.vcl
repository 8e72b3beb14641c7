# Varnish in front of two instances: a cache in memory that is emptied of the old snapshot when the new one is served.
# TLS comes from a proxy before it (hitch, HAProxy with `send-proxy-v2-ssl`), which speaks the PROXY protocol to the
# second address:
#
#   varnishd -a :80,HTTP -a 127.0.0.1:6086,PROXY -f /etc/varnish/bura.vcl -s malloc,1g \
#     -p http_gzip_support=off -p http_range_support=off
#
# The service compresses, and states the length of both forms: Varnish must keep both and make neither. The service cuts
# parts of files: Varnish would cut them of the compressed form.
#
# The instances have TRUST_PROXY=1 and PUBLIC_BASE_URL=https://data.example.org. Replace: 192.0.2.11:8080 and
# 192.0.2.12:8080 (the instances), and 192.0.2.10 (where after-publish.sh runs). Reasons:
# docs/operations/proxies.md.
vcl 4.1;

import directors;
import proxy;
import std;

probe ready {
  .url = "/health/ready";
  .interval = 1s;
  .timeout = 2s;
  .window = 2;
  .threshold = 1;
  .initial = 1;
}

backend first {
  .host = "192.0.2.11:8080";
  .probe = ready;
  .connect_timeout = 1s;
  .first_byte_timeout = 20s;
}

backend second {
  .host = "192.0.2.12:8080";
  .probe = ready;
  .connect_timeout = 1s;
  .first_byte_timeout = 20s;
}

# The same without a probe. If no instance has data, pages that need none are still answered, and errors say why.
backend first_without_data {
  .host = "192.0.2.11:8080";
  .connect_timeout = 1s;
  .first_byte_timeout = 20s;
}

backend second_without_data {
  .host = "192.0.2.12:8080";
  .connect_timeout = 1s;
  .first_byte_timeout = 20s;
}

acl publishers {
  "127.0.0.1";
  "192.0.2.10";
}

sub vcl_init {
  new instances = directors.round_robin();
  instances.add_backend(first);
  instances.add_backend(second);
  new without_data = directors.round_robin();
  without_data.add_backend(first_without_data);
  without_data.add_backend(second_without_data);
}

sub vcl_recv {
  # Bans answers of all other snapshots: after each swap, also after a rollback.
  if (req.method == "BAN") {
    if (client.ip !~ publishers) {
      return (synth(403));
    }
    if (req.http.X-Snapshot-Id !~ "^[A-Za-z0-9._-]{1,128}$") {
      return (synth(400));
    }
    ban("obj.http.X-Snapshot-Id != " + req.http.X-Snapshot-Id);
    return (synth(200));
  }

  set req.http.X-Forwarded-For = client.ip;
  set req.http.X-Forwarded-Host = req.http.Host;
  if (proxy.is_ssl()) {
    set req.http.X-Forwarded-Proto = "https";
  } else {
    set req.http.X-Forwarded-Proto = "http";
  }

  # The service reads neither, and Varnish would not cache the answers to such requests.
  unset req.http.Cookie;
  unset req.http.Authorization;

  # Two cached forms instead of one for each text of Accept-Encoding. The service decides on lists with weights.
  if (req.http.Accept-Encoding !~ ";") {
    if (req.http.Accept-Encoding ~ "(?i)(^|,)[ \t]*(x-)?gzip[ \t]*(,|$)") {
      set req.http.Accept-Encoding = "gzip";
    } else {
      unset req.http.Accept-Encoding;
    }
  }

  # Passed at the speed of the client, and not cached.
  if (req.http.Range || req.url ~ "^/api/v1/(observations/stream|events|bulk/([0-9a-f]+/)?observations_)") {
    return (pass);
  }
}

sub vcl_backend_response {
  # An instance that is starting or draining answers 503: ask the other one.
  if (beresp.status == 503 && bereq.retries == 0) {
    return (retry);
  }
  # Varnish takes ttl and grace from max-age and stale-while-revalidate. What is kept longer is only asked about: 304.
  set beresp.keep = 10m;
  set beresp.do_stream = true;
  if (beresp.http.Content-Length ~ "^[0-9]{8,}$") {
    set beresp.uncacheable = true;
  }
}

# Before each try, so that the second one goes to the other instance.
sub vcl_backend_fetch {
  set bereq.backend = instances.backend();
  if (!std.healthy(bereq.backend)) {
    set bereq.backend = without_data.backend();
  }
}

sub vcl_backend_error {
  if (bereq.retries == 0) {
    return (retry);
  }
}

sub vcl_deliver {
  if (obj.hits > 0) {
    set resp.http.Cache-Status = "varnish; hit";
  }
}
