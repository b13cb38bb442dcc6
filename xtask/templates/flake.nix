{
  description = "{{ facts.summary }}";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      package = system: name: sha256:
        let pkgs = nixpkgs.legacyPackages.${system};
        in pkgs.stdenvNoCC.mkDerivation {
          pname = "fathom";
          version = "{{ facts.version }}";
          src = pkgs.fetchurl {
            url = "{{ facts.downloads }}/${name}";
            inherit sha256;
          };
          nativeBuildInputs = [ pkgs.zstd ];
          dontStrip = true;
          installPhase = ''
            mkdir $out
            cp -r usr/* $out
            mv $out/share/zsh/vendor-completions $out/share/zsh/site-functions
          '';
          meta = {
            description = "{{ facts.summary }}";
            homepage = "{{ facts.downloads }}";
            license = map pkgs.lib.getLicenseFromSpdxId [ {{ facts.licences("\"", " ") }} ];
            mainProgram = "fathom";
            platforms = [ system ];
            sourceProvenance = [ pkgs.lib.sourceTypes.binaryNativeCode ];
          };
        };
    in {
{%- for file in facts.files %}
      packages.{{ file.architecture }}-linux.default =
        package "{{ file.architecture }}-linux" "{{ file.name }}" "{{ file.sha256 }}";
{%- endfor %}
    };
}
