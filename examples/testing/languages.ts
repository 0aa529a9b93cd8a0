/** A program in examples/languages, in the folder of its language. */
interface Program {
  readonly file: string;
  /** The package of Debian that contains the runtime. */
  readonly debianPackage: string;
  readonly version: readonly [string, ...string[]];
  readonly command: readonly [string, ...string[]];
}

export const programs: Readonly<Record<string, Program>> = {
  python: {
    file: 'test_kit.py',
    debianPackage: 'python3',
    version: ['python3', '--version'],
    command: ['python3', '-B', '-m', 'unittest', 'test_kit.py'],
  },
  java: { file: 'KitTest.java', debianPackage: 'default-jdk-headless', version: ['javac', '--version'], command: ['java', 'KitTest.java'] },
  go: { file: 'kit_test.go', debianPackage: 'golang-go', version: ['go', 'version'], command: ['go', 'test', 'kit_test.go'] },
  php: { file: 'kit_test.php', debianPackage: 'php-cli', version: ['php', '--version'], command: ['php', 'kit_test.php'] },
};
