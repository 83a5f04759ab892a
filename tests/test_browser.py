import pytest

pytestmark = pytest.mark.browser

PAGES = ["/", "/nowhere"]


@pytest.mark.parametrize("path", PAGES)
def test_page_is_sound(context_of, live_server, faults, path):
    page = context_of().new_page()
    complaints = []
    # The console reports violations of the content security policy.
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("requestfailed", lambda request: complaints.append(request.url))
    responses = {}
    page.on("response", lambda response: responses.update({response.url: response.status}))

    page.goto(path, wait_until="networkidle")

    del responses[live_server.url + path]
    assert set(responses.values()) == {200}
    assert faults(page) == []
    assert [text for text in complaints if "status of 404" not in text] == []


def test_links_on_the_first_page_lead_somewhere(context_of):
    page = context_of().new_page()
    page.goto("/")
    targets = [link.get_attribute("href") for link in page.get_by_role("link").all()]
    rules = ["/rules/splendor/", "/rules/duel/"]
    account = ["/account/login/", "/account/signup/"]
    assert targets == ["#main", "/", "/learn/", *account, "/learn/", *rules, *rules, "/privacy/"]

    for target in targets:
        page.goto("about:blank")
        assert page.goto(target).status == 200
        assert page.locator(":target").count() == target.count("#")
