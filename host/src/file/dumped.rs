//! The program that dumped a core file, from ELF notes and from the program's first page, which
//! most cores contain. Reports a different program only if it is certain. Knows no debugger.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use object::elf::{ELF_NOTE_GNU, FileHeader64, NT_AUXV, NT_FILE, NT_GNU_BUILD_ID, PT_LOAD};
use object::read::elf::{FileHeader, ProgramHeader};
use object::{Endianness, ReadCache, ReadRef};

type Header = FileHeader64<Endianness>;

/// Keys of the auxiliary vector, see getauxval(3): the program headers, the entry point, and the
/// path.
const AT_PHDR: u64 = 3;
const AT_ENTRY: u64 = 9;
const AT_EXECFN: u64 = 31;
/// The notes of a core with many threads and mappings are some hundred kilobytes.
const NOTES: u64 = 16 << 20;
/// Headers and their notes are at the beginning.
const BEGINNING: u64 = 64 << 10;
const LONGEST_PATH: u64 = 4096;

/// The program that dumped the core, if it is certainly not `program`.
pub fn by_another(core: &Path, program: &Path) -> Option<PathBuf> {
    let dumper = Dumper::of(core)?;
    let image = Image::of(&super::head(program, BEGINNING).ok()?)?;
    (!dumper.may_be(&program.canonicalize().ok()?, &image)).then_some(dumper.path)
}

struct Dumper {
    path: PathBuf,
    /// All mapped files: a loader that is started as a program maps the debuggee.
    mapped: Vec<PathBuf>,
    image: Option<Image>,
}

impl Dumper {
    fn of(core: &Path) -> Option<Self> {
        let file = ReadCache::new(super::open(core).ok()?);
        let core = Core::of(&file)?;
        let named = core
            .files
            .iter()
            .find(|(start, end, _)| (*start..*end).contains(&core.fact(AT_ENTRY).unwrap_or(0)));
        let path =
            named.map(|(.., path)| path.clone()).or_else(|| core.path(core.fact(AT_EXECFN)?))?;
        let start = core.fact(AT_PHDR)?.checked_sub(size_of::<Header>() as u64)?;
        let image = core.memory(start, BEGINNING).and_then(Image::of);
        Some(Self { path, image, mapped: core.files.into_iter().map(|(.., path)| path).collect() })
    }

    fn may_be(&self, program: &Path, image: &Image) -> bool {
        let Some(own) = self.image.as_ref() else { return true };
        match (&own.build, &image.build) {
            // The program was started through a loader.
            _ if self.path != program && self.mapped.iter().any(|path| path == program) => true,
            (Some(own), Some(other)) => own == other,
            _ if self.path == program => true,
            _ => self.path.file_name() == program.file_name() || own.segments == image.segments,
        }
    }
}

/// Identity of a program, read from the start of its file or of its memory.
struct Image {
    build: Option<Vec<u8>>,
    /// Type, address and size in memory of each.
    segments: Vec<(u32, u64, u64)>,
}

impl Image {
    fn of(beginning: &[u8]) -> Option<Self> {
        let header = Header::parse(beginning).ok()?;
        let order = header.endian().ok()?;
        let segments = header.program_headers(order, beginning).ok()?;
        let build = segments.iter().find_map(|segment| {
            let mut notes = segment.notes(order, beginning).ok()??;
            std::iter::from_fn(|| notes.next().ok()?)
                .find(|note| note.name() == ELF_NOTE_GNU && note.n_type(order) == NT_GNU_BUILD_ID)
                .map(|note| note.desc().to_vec())
        });
        let facts = |one: &<Header as FileHeader>::ProgramHeader| {
            (one.p_type.get(order), one.p_vaddr.get(order), one.p_memsz.get(order))
        };
        Some(Self { build, segments: segments.iter().map(facts).collect() })
    }
}

/// A core file's memory and notes.
struct Core<'a, R: ReadRef<'a>> {
    file: R,
    /// Address, size, and offset in the file.
    loaded: Vec<(u64, u64, u64)>,
    /// Pairs of key and value.
    vector: Vec<u64>,
    /// Start, end and path.
    files: Vec<(u64, u64, PathBuf)>,
    life: std::marker::PhantomData<&'a ()>,
}

impl<'a, R: ReadRef<'a>> Core<'a, R> {
    fn of(file: R) -> Option<Self> {
        let header = Header::parse(file).ok()?;
        let order = header.endian().ok().filter(|order| *order == Endianness::Little)?;
        let mut core = Self {
            file,
            loaded: vec![],
            vector: vec![],
            files: vec![],
            life: std::marker::PhantomData,
        };
        for segment in header.program_headers(order, file).ok()? {
            let size = segment.p_filesz.get(order);
            if segment.p_type.get(order) == PT_LOAD {
                core.loaded.push((segment.p_vaddr.get(order), size, segment.p_offset.get(order)));
            }
            let notes =
                if size <= NOTES { segment.notes(order, file).ok().flatten() } else { None };
            let Some(mut notes) = notes else { continue };
            while let Ok(Some(note)) = notes.next() {
                match note.n_type(order) {
                    NT_AUXV => core.vector = words(note.desc()).collect(),
                    NT_FILE => core.files = mapped(note.desc()).unwrap_or_default(),
                    _ => {}
                }
            }
        }
        Some(core)
    }

    fn fact(&self, key: u64) -> Option<u64> {
        self.vector.chunks_exact(2).find(|pair| pair[0] == key).map(|pair| pair[1])
    }

    /// Memory from `start` on: up to `most` bytes of one segment.
    fn memory(&self, start: u64, most: u64) -> Option<&'a [u8]> {
        let holds = |(from, size, _): &&(u64, u64, u64)| {
            start.checked_sub(*from).is_some_and(|skip| skip < *size)
        };
        let (from, size, offset) = self.loaded.iter().find(holds)?;
        let skip = start - from;
        self.file.read_bytes_at(offset.checked_add(skip)?, most.min(size - skip)).ok()
    }

    fn path(&self, at: u64) -> Option<PathBuf> {
        let bytes = self.memory(at, LONGEST_PATH)?;
        let text = &bytes[..bytes.iter().position(|byte| *byte == 0)?];
        Some(PathBuf::from(OsStr::from_bytes(text))).filter(|path| path.is_absolute())
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word))
}

/// `NT_FILE` (core(5)): the count, the page size, start, end and offset of each file, all paths.
fn mapped(note: &[u8]) -> Option<Vec<(u64, u64, PathBuf)>> {
    let count = usize::try_from(words(note).next()?).ok()?;
    let names = note.get(16_usize.checked_add(count.checked_mul(24)?)?..)?;
    let places: Vec<u64> = words(note).skip(2).take(count * 3).collect();
    let paths = names.split(|byte| *byte == 0).map(|name| PathBuf::from(OsStr::from_bytes(name)));
    Some(
        places.chunks_exact(3).zip(paths).map(|(place, path)| (place[0], place[1], path)).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dumper(build: Option<&[u8]>, segments: &[(u32, u64, u64)]) -> Dumper {
        let image = Image { build: build.map(<[u8]>::to_vec), segments: segments.to_vec() };
        Dumper {
            path: "/w/cart".into(),
            mapped: vec!["/w/cart".into(), "/w/by-loader".into()],
            image: Some(image),
        }
    }

    #[test]
    fn another_program_is_reported_only_with_certainty() {
        let (some, other) = ([(1, 0, 10)], [(1, 0, 11)]);
        for (own, program, build, segments, may_be) in [
            (Some(b"a"), "/copy", Some(b"a"), other, true),
            (Some(b"a"), "/x/cart", Some(b"b"), some, false),
            (Some(b"a"), "/w/cart", Some(b"b"), some, false),
            (Some(b"a"), "/w/cart", None, other, true),
            (Some(b"a"), "/w/by-loader", Some(b"b"), some, true),
            (None, "/copy", Some(b"a"), some, true),
            (Some(b"a"), "/x/cart", None, other, true),
            (None, "/copy", None, other, false),
        ] {
            let image = Image {
                build: build.map(|build: &[u8; 1]| build.to_vec()),
                segments: segments.to_vec(),
            };
            let own = dumper(own.map(|own: &[u8; 1]| &own[..]), &some);
            assert_eq!(own.may_be(Path::new(program), &image), may_be, "{program} {build:?}");
        }
        let unknown = Dumper { image: None, ..dumper(None, &some) };
        assert!(unknown.may_be(Path::new("/copy"), &Image { build: None, segments: vec![] }));
    }

    #[test]
    fn files_that_are_no_core_have_no_program() {
        let this = std::env::current_exe().unwrap();
        assert_eq!(by_another(&this, &this), None);
        assert_eq!(by_another(Path::new(file!()), &this), None);
    }

    #[test]
    fn mapped_files_are_named() {
        let words = [2_u64, 4096, 0x1000, 0x2000, 0, 0x5000, 0x6000, 1];
        let note = [words.map(u64::to_le_bytes).concat(), b"/a\0/b c\0".to_vec()].concat();
        let expected = [(0x1000, 0x2000, "/a".into()), (0x5000, 0x6000, "/b c".into())];
        assert_eq!(mapped(&note), Some(expected.to_vec()));
        assert_eq!(mapped(&[0xff; 16]), None);
        assert_eq!(mapped(&note[..60]), None);
    }
}
