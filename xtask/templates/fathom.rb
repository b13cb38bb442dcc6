# Homebrew formula.
class Fathom < Formula
  desc "{{ facts.summary }}"
  homepage "{{ facts.downloads }}"
  version "{{ facts.version }}"
  license any_of: [{{ facts.licences("\"", ", ") }}]

  depends_on :linux
{% for file in facts.files %}
  on_{% if file.architecture == "x86_64" %}intel{% else %}arm{% endif %} do
    url "{{ facts.downloads }}/{{ file.name }}"
    sha256 "{{ file.sha256 }}"
  end
{% endfor %}
  def install
    bin.install "usr/bin/fathom"
    man1.install Dir["usr/share/man/man1/*"]
    bash_completion.install "usr/share/bash-completion/completions/fathom"
    zsh_completion.install "usr/share/zsh/vendor-completions/_fathom"
    fish_completion.install "usr/share/fish/vendor_completions.d/fathom.fish"
    doc.install Dir["usr/share/doc/fathom/*"]
  end

  test do
    system bin/"fathom", "version"
  end
end
