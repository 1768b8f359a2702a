//! The page, built from `page/` and embedded, so that one binary is enough.

use crate::http::{Request, Response};

const INDEX: &str = include_str!("../assets/index.html");
const SCRIPT: &str = include_str!("../assets/app.js");
const STYLE: &str = include_str!("../assets/app.css");
const ICON: &str = include_str!("../assets/icon.svg");

/// The file of the page at a path.
pub(crate) fn asset(request: &Request) -> Option<Response> {
    let (kind, text) = match request.path.as_str() {
        "/" | "/index.html" => ("text/html; charset=utf-8", INDEX),
        "/app.js" => ("text/javascript; charset=utf-8", SCRIPT),
        "/app.css" => ("text/css; charset=utf-8", STYLE),
        "/icon.svg" | "/favicon.ico" => ("image/svg+xml", ICON),
        _ => return None,
    };
    let tag = format!("\"{:016x}\"", fingerprint(text));
    let known = request.header("if-none-match") == Some(tag.as_str());
    Some(Response {
        status: if known { 304 } else { 200 },
        kind,
        headers: vec![("ETag", tag), ("Cache-Control", "no-cache".to_owned())],
        body: match known {
            true => Vec::new().into(),
            false => text.as_bytes().into(),
        },
    })
}

/// FNV-1a: tells versions of the page apart, no more.
fn fingerprint(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The page as one file with data inside: it needs neither server nor network.
///
/// ```
/// let page = quotient_web::static_page("token", &serde_json::json!({ "answers": [] }));
/// assert!(page.contains("<title>token</title>"));
/// ```
pub fn static_page(title: &str, data: &serde_json::Value) -> String {
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    // Inside a script nothing may look like its end.
    let data = data.to_string().replace('<', "\\u003c");
    let script = SCRIPT.replace("</script", "<\\/script");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <div id=\"app\"></div>\n\
         <script id=\"data\" type=\"application/json\">{data}</script>\n\
         <script>{script}</script>\n</body>\n</html>\n"
    )
}
