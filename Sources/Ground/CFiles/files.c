#include "files.h"

#include <string.h>

#if !defined(__has_embed)
#error "Proctor needs a C compiler that has #embed (C23 6.10.4): that of Swift 6.2 or newer"
#endif

// The compiler notes each file that it embeds, so a changed file is compiled in anew.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char fixtures_adapter_check_yaml[] = {
#embed "Fixtures/adapter-check.yaml"
};
static const unsigned char fixtures_controls_yaml[] = {
#embed "Fixtures/controls.yaml"
};
static const unsigned char fixtures_new_yaml[] = {
#embed "Fixtures/new.yaml"
};
static const unsigned char help_commands_txt[] = {
#embed "Help/commands.txt"
};
static const unsigned char help_shells_txt[] = {
#embed "Help/shells.txt"
};
static const unsigned char help_trust_txt[] = {
#embed "Help/trust.txt"
};
static const unsigned char pages_actions_js[] = {
#embed "Pages/actions.js"
};
static const unsigned char pages_api_js[] = {
#embed "Pages/api.js"
};
static const unsigned char pages_base_css[] = {
#embed "Pages/base.css"
};
static const unsigned char pages_book_css[] = {
#embed "Pages/book.css"
};
static const unsigned char pages_book_js[] = {
#embed "Pages/book.js"
};
static const unsigned char pages_catalogue_js[] = {
#embed "Pages/catalogue.js"
};
static const unsigned char pages_curl_js[] = {
#embed "Pages/curl.js"
};
static const unsigned char pages_details_js[] = {
#embed "Pages/details.js"
};
static const unsigned char pages_difference_js[] = {
#embed "Pages/difference.js"
};
static const unsigned char pages_dom_js[] = {
#embed "Pages/dom.js"
};
static const unsigned char pages_draft_js[] = {
#embed "Pages/draft.js"
};
static const unsigned char pages_entries_js[] = {
#embed "Pages/entries.js"
};
static const unsigned char pages_lanes_js[] = {
#embed "Pages/lanes.js"
};
static const unsigned char pages_matrix_css[] = {
#embed "Pages/matrix.css"
};
static const unsigned char pages_matrix_js[] = {
#embed "Pages/matrix.js"
};
static const unsigned char pages_report_css[] = {
#embed "Pages/report.css"
};
static const unsigned char pages_report_js[] = {
#embed "Pages/report.js"
};
static const unsigned char pages_requests_js[] = {
#embed "Pages/requests.js"
};
static const unsigned char pages_rows_js[] = {
#embed "Pages/rows.js"
};
static const unsigned char pages_run_js[] = {
#embed "Pages/run.js"
};
static const unsigned char pages_runs_js[] = {
#embed "Pages/runs.js"
};
static const unsigned char pages_server_css[] = {
#embed "Pages/server.css"
};
static const unsigned char pages_talk_js[] = {
#embed "Pages/talk.js"
};
static const unsigned char pages_timeline_js[] = {
#embed "Pages/timeline.js"
};
static const unsigned char pages_tones_css[] = {
#embed "Pages/tones.css"
};
static const unsigned char pages_verdicts_js[] = {
#embed "Pages/verdicts.js"
};
static const unsigned char reproduction_aiohttp_py[] = {
#embed "Reproduction/aiohttp.py"
};
static const unsigned char reproduction_http_client_py[] = {
#embed "Reproduction/http_client.py"
};
static const unsigned char reproduction_httpx_py[] = {
#embed "Reproduction/httpx.py"
};
static const unsigned char reproduction_places_py[] = {
#embed "Reproduction/places.py"
};
static const unsigned char reproduction_player_py[] = {
#embed "Reproduction/player.py"
};
static const unsigned char reproduction_requests_py[] = {
#embed "Reproduction/requests.py"
};
static const unsigned char reproduction_stream_py[] = {
#embed "Reproduction/stream.py"
};
static const unsigned char reproduction_tls_py[] = {
#embed "Reproduction/tls.py"
};
static const unsigned char reproduction_urllib_py[] = {
#embed "Reproduction/urllib.py"
};
static const unsigned char reproduction_urllib3_py[] = {
#embed "Reproduction/urllib3.py"
};
static const unsigned char scripts_faults_lua[] = {
#embed "Scripts/faults.lua"
};
static const unsigned char scripts_prelude_lua[] = {
#embed "Scripts/prelude.lua"
};
static const unsigned char tables_abilities_tsv[] = {
#embed "Tables/abilities.tsv"
};
static const unsigned char tables_authentication_violations_tsv[] = {
#embed "Tables/authentication-violations.tsv"
};
static const unsigned char tables_cache_storage_policies_tsv[] = {
#embed "Tables/cache-storage-policies.tsv"
};
static const unsigned char tables_callback_families_tsv[] = {
#embed "Tables/callback-families.tsv"
};
static const unsigned char tables_callback_grammars_txt[] = {
#embed "Tables/callback-grammars.txt"
};
static const unsigned char tables_callback_rules_txt[] = {
#embed "Tables/callback-rules.txt"
};
static const unsigned char tables_canonical_requests_tsv[] = {
#embed "Tables/canonical-requests.tsv"
};
static const unsigned char tables_cookie_violations_tsv[] = {
#embed "Tables/cookie-violations.tsv"
};
static const unsigned char tables_curl_options_tsv[] = {
#embed "Tables/curl-options.tsv"
};
static const unsigned char tables_departures_tsv[] = {
#embed "Tables/departures.tsv"
};
static const unsigned char tables_dns_violations_tsv[] = {
#embed "Tables/dns-violations.tsv"
};
static const unsigned char tables_events_tsv[] = {
#embed "Tables/events.tsv"
};
static const unsigned char tables_failure_causes_tsv[] = {
#embed "Tables/failure-causes.tsv"
};
static const unsigned char tables_families_tsv[] = {
#embed "Tables/families.tsv"
};
static const unsigned char tables_faults_tsv[] = {
#embed "Tables/faults.tsv"
};
static const unsigned char tables_field_grammars_tsv[] = {
#embed "Tables/field-grammars.tsv"
};
static const unsigned char tables_field_violations_tsv[] = {
#embed "Tables/field-violations.tsv"
};
static const unsigned char tables_flags_tsv[] = {
#embed "Tables/flags.tsv"
};
static const unsigned char tables_folder_types_tsv[] = {
#embed "Tables/folder-types.tsv"
};
static const unsigned char tables_http1_violations_tsv[] = {
#embed "Tables/http1-violations.tsv"
};
static const unsigned char tables_http2_violations_tsv[] = {
#embed "Tables/http2-violations.tsv"
};
static const unsigned char tables_http3_violations_tsv[] = {
#embed "Tables/http3-violations.tsv"
};
static const unsigned char tables_import_keys_tsv[] = {
#embed "Tables/import-keys.tsv"
};
static const unsigned char tables_language_tsv[] = {
#embed "Tables/language.tsv"
};
static const unsigned char tables_mcp_tools_tsv[] = {
#embed "Tables/mcp-tools.tsv"
};
static const unsigned char tables_methods_tsv[] = {
#embed "Tables/methods.tsv"
};
static const unsigned char tables_ntlm_violations_tsv[] = {
#embed "Tables/ntlm-violations.tsv"
};
static const unsigned char tables_refusals_tsv[] = {
#embed "Tables/refusals.tsv"
};
static const unsigned char tables_registries_tsv[] = {
#embed "Tables/registries.tsv"
};
static const unsigned char tables_rpc_types_tsv[] = {
#embed "Tables/rpc-types.tsv"
};
static const unsigned char tables_schema_formats_tsv[] = {
#embed "Tables/schema-formats.tsv"
};
static const unsigned char tables_search_words_tsv[] = {
#embed "Tables/search-words.tsv"
};
static const unsigned char tables_section_topics_tsv[] = {
#embed "Tables/section-topics.tsv"
};
static const unsigned char tables_socks_violations_tsv[] = {
#embed "Tables/socks-violations.tsv"
};
static const unsigned char tables_spnego_violations_tsv[] = {
#embed "Tables/spnego-violations.tsv"
};
static const unsigned char tables_storm_faults_tsv[] = {
#embed "Tables/storm-faults.tsv"
};
static const unsigned char tables_storm_invariants_tsv[] = {
#embed "Tables/storm-invariants.tsv"
};
static const unsigned char tables_storm_mistakes_tsv[] = {
#embed "Tables/storm-mistakes.tsv"
};
static const unsigned char tables_storm_origins_tsv[] = {
#embed "Tables/storm-origins.tsv"
};
static const unsigned char tables_storm_ways_tsv[] = {
#embed "Tables/storm-ways.tsv"
};
static const unsigned char tables_tls_cipher_suites_tsv[] = {
#embed "Tables/tls-cipher-suites.tsv"
};
static const unsigned char tables_tls_extensions_tsv[] = {
#embed "Tables/tls-extensions.tsv"
};
static const unsigned char tables_tls_groups_tsv[] = {
#embed "Tables/tls-groups.tsv"
};
static const unsigned char tables_token_forms_tsv[] = {
#embed "Tables/token-forms.tsv"
};
static const unsigned char tables_uri_violations_tsv[] = {
#embed "Tables/uri-violations.tsv"
};
static const unsigned char tables_url_errors_tsv[] = {
#embed "Tables/url-errors.tsv"
};
static const unsigned char tables_websocket_handshake_violations_tsv[] = {
#embed "Tables/websocket-handshake-violations.tsv"
};
static const unsigned char tables_websocket_violations_tsv[] = {
#embed "Tables/websocket-violations.tsv"
};

#define FILE_NAMED(name, bytes) {name, bytes, sizeof bytes}

static const struct proctor_file files[] = {
    FILE_NAMED("Fixtures/adapter-check.yaml", fixtures_adapter_check_yaml),
    FILE_NAMED("Fixtures/controls.yaml", fixtures_controls_yaml),
    FILE_NAMED("Fixtures/new.yaml", fixtures_new_yaml),
    FILE_NAMED("Help/commands.txt", help_commands_txt),
    FILE_NAMED("Help/shells.txt", help_shells_txt),
    FILE_NAMED("Help/trust.txt", help_trust_txt),
    FILE_NAMED("Pages/actions.js", pages_actions_js),
    FILE_NAMED("Pages/api.js", pages_api_js),
    FILE_NAMED("Pages/base.css", pages_base_css),
    FILE_NAMED("Pages/book.css", pages_book_css),
    FILE_NAMED("Pages/book.js", pages_book_js),
    FILE_NAMED("Pages/catalogue.js", pages_catalogue_js),
    FILE_NAMED("Pages/curl.js", pages_curl_js),
    FILE_NAMED("Pages/details.js", pages_details_js),
    FILE_NAMED("Pages/difference.js", pages_difference_js),
    FILE_NAMED("Pages/dom.js", pages_dom_js),
    FILE_NAMED("Pages/draft.js", pages_draft_js),
    FILE_NAMED("Pages/entries.js", pages_entries_js),
    FILE_NAMED("Pages/lanes.js", pages_lanes_js),
    FILE_NAMED("Pages/matrix.css", pages_matrix_css),
    FILE_NAMED("Pages/matrix.js", pages_matrix_js),
    FILE_NAMED("Pages/report.css", pages_report_css),
    FILE_NAMED("Pages/report.js", pages_report_js),
    FILE_NAMED("Pages/requests.js", pages_requests_js),
    FILE_NAMED("Pages/rows.js", pages_rows_js),
    FILE_NAMED("Pages/run.js", pages_run_js),
    FILE_NAMED("Pages/runs.js", pages_runs_js),
    FILE_NAMED("Pages/server.css", pages_server_css),
    FILE_NAMED("Pages/talk.js", pages_talk_js),
    FILE_NAMED("Pages/timeline.js", pages_timeline_js),
    FILE_NAMED("Pages/tones.css", pages_tones_css),
    FILE_NAMED("Pages/verdicts.js", pages_verdicts_js),
    FILE_NAMED("Reproduction/aiohttp.py", reproduction_aiohttp_py),
    FILE_NAMED("Reproduction/http_client.py", reproduction_http_client_py),
    FILE_NAMED("Reproduction/httpx.py", reproduction_httpx_py),
    FILE_NAMED("Reproduction/places.py", reproduction_places_py),
    FILE_NAMED("Reproduction/player.py", reproduction_player_py),
    FILE_NAMED("Reproduction/requests.py", reproduction_requests_py),
    FILE_NAMED("Reproduction/stream.py", reproduction_stream_py),
    FILE_NAMED("Reproduction/tls.py", reproduction_tls_py),
    FILE_NAMED("Reproduction/urllib.py", reproduction_urllib_py),
    FILE_NAMED("Reproduction/urllib3.py", reproduction_urllib3_py),
    FILE_NAMED("Scripts/faults.lua", scripts_faults_lua),
    FILE_NAMED("Scripts/prelude.lua", scripts_prelude_lua),
    FILE_NAMED("Tables/abilities.tsv", tables_abilities_tsv),
    FILE_NAMED("Tables/authentication-violations.tsv", tables_authentication_violations_tsv),
    FILE_NAMED("Tables/cache-storage-policies.tsv", tables_cache_storage_policies_tsv),
    FILE_NAMED("Tables/callback-families.tsv", tables_callback_families_tsv),
    FILE_NAMED("Tables/callback-grammars.txt", tables_callback_grammars_txt),
    FILE_NAMED("Tables/callback-rules.txt", tables_callback_rules_txt),
    FILE_NAMED("Tables/canonical-requests.tsv", tables_canonical_requests_tsv),
    FILE_NAMED("Tables/cookie-violations.tsv", tables_cookie_violations_tsv),
    FILE_NAMED("Tables/curl-options.tsv", tables_curl_options_tsv),
    FILE_NAMED("Tables/departures.tsv", tables_departures_tsv),
    FILE_NAMED("Tables/dns-violations.tsv", tables_dns_violations_tsv),
    FILE_NAMED("Tables/events.tsv", tables_events_tsv),
    FILE_NAMED("Tables/failure-causes.tsv", tables_failure_causes_tsv),
    FILE_NAMED("Tables/families.tsv", tables_families_tsv),
    FILE_NAMED("Tables/faults.tsv", tables_faults_tsv),
    FILE_NAMED("Tables/field-grammars.tsv", tables_field_grammars_tsv),
    FILE_NAMED("Tables/field-violations.tsv", tables_field_violations_tsv),
    FILE_NAMED("Tables/flags.tsv", tables_flags_tsv),
    FILE_NAMED("Tables/folder-types.tsv", tables_folder_types_tsv),
    FILE_NAMED("Tables/http1-violations.tsv", tables_http1_violations_tsv),
    FILE_NAMED("Tables/http2-violations.tsv", tables_http2_violations_tsv),
    FILE_NAMED("Tables/http3-violations.tsv", tables_http3_violations_tsv),
    FILE_NAMED("Tables/import-keys.tsv", tables_import_keys_tsv),
    FILE_NAMED("Tables/language.tsv", tables_language_tsv),
    FILE_NAMED("Tables/mcp-tools.tsv", tables_mcp_tools_tsv),
    FILE_NAMED("Tables/methods.tsv", tables_methods_tsv),
    FILE_NAMED("Tables/ntlm-violations.tsv", tables_ntlm_violations_tsv),
    FILE_NAMED("Tables/refusals.tsv", tables_refusals_tsv),
    FILE_NAMED("Tables/registries.tsv", tables_registries_tsv),
    FILE_NAMED("Tables/rpc-types.tsv", tables_rpc_types_tsv),
    FILE_NAMED("Tables/schema-formats.tsv", tables_schema_formats_tsv),
    FILE_NAMED("Tables/search-words.tsv", tables_search_words_tsv),
    FILE_NAMED("Tables/section-topics.tsv", tables_section_topics_tsv),
    FILE_NAMED("Tables/socks-violations.tsv", tables_socks_violations_tsv),
    FILE_NAMED("Tables/spnego-violations.tsv", tables_spnego_violations_tsv),
    FILE_NAMED("Tables/storm-faults.tsv", tables_storm_faults_tsv),
    FILE_NAMED("Tables/storm-invariants.tsv", tables_storm_invariants_tsv),
    FILE_NAMED("Tables/storm-mistakes.tsv", tables_storm_mistakes_tsv),
    FILE_NAMED("Tables/storm-origins.tsv", tables_storm_origins_tsv),
    FILE_NAMED("Tables/storm-ways.tsv", tables_storm_ways_tsv),
    FILE_NAMED("Tables/tls-cipher-suites.tsv", tables_tls_cipher_suites_tsv),
    FILE_NAMED("Tables/tls-extensions.tsv", tables_tls_extensions_tsv),
    FILE_NAMED("Tables/tls-groups.tsv", tables_tls_groups_tsv),
    FILE_NAMED("Tables/token-forms.tsv", tables_token_forms_tsv),
    FILE_NAMED("Tables/uri-violations.tsv", tables_uri_violations_tsv),
    FILE_NAMED("Tables/url-errors.tsv", tables_url_errors_tsv),
    FILE_NAMED("Tables/websocket-handshake-violations.tsv", tables_websocket_handshake_violations_tsv),
    FILE_NAMED("Tables/websocket-violations.tsv", tables_websocket_violations_tsv),
};

const struct proctor_file *proctor_file_named(const char *name)
{
    for (size_t index = 0; index < sizeof files / sizeof *files; index++) {
        if (strcmp(files[index].name, name) == 0) return &files[index];
    }
    return NULL;
}
