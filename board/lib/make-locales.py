#!/usr/bin/env python3
"""Makes Sources/CLocales/locales.tsv: how dates and numbers are written in the languages of Budget.locales, by the CLDR.

    pip install babel==2.19.0 && board/lib/make-locales.py > Sources/CLocales/locales.tsv

One line a language, with tabs between the columns of COLUMNS and bars between the parts of a column. Only who adds a language or takes a
newer CLDR runs it: the table is part of the sources.
"""
import sys

from babel import Locale, __version__

LANGUAGES = ("en en-GB de fr es it pt pt-PT nl da nb sv fi pl cs sk hu ro bg hr sl et lv lt el tr ru uk he ar fa ur hi bn ta th vi id ja ko "
             "zh zh-Hant ka hy").split()
COLUMNS = ("tag", "plural", "marks", "currency", "months", "monthsAlone", "monthsShort", "days", "daysShort", "periods", "patterns", "fields")
# The rules of plurals by what they say of 1, as the CLDR writes them; see PluralRule.swift.
PLURALS = {
    "": "none",
    "one: i in 1 and v in 0": "english",
    "one: n in 1": "one",
    "one: n in 1 or t not in 0 and i in 0,1": "danish",
    "one: i in 0,1": "zeroOrOne",
    "one: i in 0 or n in 1": "upToOne",
}
NAMES = {"fr": "french", "pt": "french", "es": "spanish", "it": "italian", "pt-PT": "italian", "pl": "polish", "cs": "czech", "sk": "czech",
         "ro": "romanian", "hr": "croatian", "sl": "slovenian", "lv": "latvian", "lt": "lithuanian", "ru": "russian", "uk": "russian",
         "he": "hebrew", "ar": "arabic"}

# Year, month, day, hour, minute: captions of the picker. Babel has none.
FIELDS = {
    "en": "Year Month Day Hour Minute", "de": "Jahr Monat Tag Stunde Minute", "fr": "Année Mois Jour Heure Minute",
    "es": "Año Mes Día Hora Minuto", "it": "Anno Mese Giorno Ora Minuto", "pt": "Ano Mês Dia Hora Minuto",
    "nl": "Jaar Maand Dag Uur Minuut", "da": "År Måned Dag Time Minut", "nb": "År Måned Dag Time Minutt",
    "sv": "År Månad Dag Timme Minut", "fi": "Vuosi Kuukausi Päivä Tunti Minuutti", "pl": "Rok Miesiąc Dzień Godzina Minuta",
    "cs": "Rok Měsíc Den Hodina Minuta", "sk": "Rok Mesiac Deň Hodina Minúta", "hu": "Év Hónap Nap Óra Perc",
    "ro": "An Lună Zi Oră Minut", "bg": "Година Месец Ден Час Минута", "hr": "Godina Mjesec Dan Sat Minuta",
    "sl": "Leto Mesec Dan Ura Minuta", "et": "Aasta Kuu Päev Tund Minut", "lv": "Gads Mēnesis Diena Stunda Minūte",
    "lt": "Metai Mėnuo Diena Valanda Minutė", "el": "Έτος Μήνας Ημέρα Ώρα Λεπτό", "tr": "Yıl Ay Gün Saat Dakika",
    "ru": "Год Месяц День Час Минута", "uk": "Рік Місяць День Година Хвилина", "he": "שנה חודש יום שעה דקה",
    "ar": "السنة الشهر اليوم الساعة الدقيقة", "fa": "سال ماه روز ساعت دقیقه", "ur": "سال مہینہ دن گھنٹہ منٹ",
    "hi": "वर्ष माह दिन घंटा मिनट", "bn": "বছর মাস দিন ঘন্টা মিনিট", "ta": "ஆண்டு மாதம் நாள் மணி நிமிடம்",
    "th": "ปี เดือน วัน ชั่วโมง นาที", "vi": "Năm Tháng Ngày Giờ Phút", "id": "Tahun Bulan Hari Jam Menit",
    "ja": "年 月 日 時 分", "ko": "년 월 일 시 분", "zh": "年 月 日 时 分", "zh-Hant": "年 月 日 時 分",
    "ka": "წელი თვე დღე საათი წუთი", "hy": "Տարի Ամիս Օր Ժամ Րոպե",
}


def plural(tag, locale):
    if tag in NAMES:
        return NAMES[tag]
    return PLURALS["; ".join(f"{name}: {rule}" for name, rule in sorted(locale.plural_form.rules.items()))]


def plain(pattern):
    """Without the era, whose years Talon does not count, and with letters that every pattern has."""
    return pattern.replace(" G", "").replace("cccc", "EEEE").replace("ccc", "E").replace("Bh", "a h")


# Of a board whose owner has chosen no language: English, with dates and times as ISO 8601 writes them.
PLAIN = "EEEE, d MMMM y|EEEE, d MMMM|yyyy-MM-dd|yyyy-MM-dd|HH:mm|MMMM y"


def row(tag):
    locale = Locale.parse(tag, sep="-")
    symbols = locale.number_symbols["latn"]
    numbers, money = locale.decimal_formats[None].pattern, locale.currency_formats["standard"].pattern.split(";")[0]
    months, days = locale.months, locale.days
    periods = locale.day_periods["format"]["abbreviated"]
    skeletons = locale.datetime_skeletons
    dated = skeletons.get("MMMMEEEEd") or skeletons.get("MMMMEd") or skeletons["MMMEd"]
    whole = dated.pattern if "EEEE" in dated.pattern else dated.pattern.replace("ccc", "E").replace("E", "EEEE")
    list_of = lambda table: [table[key] for key in sorted(table)]
    columns = {
        "tag": [tag],
        "plural": [plural(tag, locale)],
        # The decimal mark, the mark between groups of digits, and how many digits the groups above the first have.
        "marks": [symbols["decimal"], symbols["group"], "2" if "#,##,##0" in numbers else "3"],
        "currency": [money],
        "months": list_of(months["format"]["wide"]),
        "monthsAlone": list_of(months["stand-alone"]["wide"]),
        "monthsShort": list_of(months["format"]["abbreviated"]),
        # From Monday on.
        "days": list_of(days["stand-alone" if "cccc" in locale.date_formats["full"].pattern else "format"]["wide"]),
        "daysShort": list_of(days["format"]["abbreviated"]),
        "periods": [periods["am"], periods["pm"]],
        # A day with its year, without it, in few characters, in digits; the time; a month with its year.
        "patterns": [plain(pattern) for pattern in (
            locale.date_formats["full"].pattern, whole, locale.date_formats["medium"].pattern, locale.date_formats["short"].pattern,
            locale.time_formats["short"].pattern, skeletons["yMMMM"].pattern)],
        "fields": FIELDS[tag.split("-")[0] if tag not in FIELDS else tag].split(),
    }
    parts = [[str(part) for part in columns[name]] for name in COLUMNS]
    assert not any("\t" in part or "|" in part or "\n" in part for column in parts for part in column), tag
    return "\t".join("|".join(column) for column in parts)


def main():
    print("# " + "\t".join(COLUMNS))
    plain = row("en").split("\t")
    plain[0], plain[COLUMNS.index("patterns")] = "-", PLAIN
    print("\t".join(plain))
    for tag in LANGUAGES:
        print(row(tag))
    print(f"babel {__version__}", file=sys.stderr)


main()
